import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { LoginProvider, ProviderRoute, Query, RouteResponse } from '@quire/login-providers';
import type { LoginProviders } from '../login-providers.js';

/** A request to an address of a provider's own. */
export interface RouteCall {
  providerId: string;
  method: ProviderRoute['method'];
  /** Below the provider's own place. */
  path: string;
  query: Query;
  body: unknown;
}

/**
 * Has a provider answer at an address of its own.
 * @throws QuireError NOT_FOUND; NOT_AUTHENTICATED and FORBIDDEN where the path is not public and nobody has signed in;
 * LoginError for what the provider throws.
 */
export async function handleProviderRoute(
  ctx: Context,
  providers: LoginProviders,
  { providerId, method, path, query, body }: RouteCall,
): Promise<RouteResponse> {
  const ready = providers.offered.some(({ id }) => id === providerId) && providers.ready(providerId);
  if (!ready) throw notFound('login provider');
  const route = ready.provider.routes?.find((one) => one.method === method && one.path === path);
  if (!route) throw new QuireError('NOT_FOUND', 'Not found');
  if (!isPublic(ready.provider, path)) assertSession(ctx);
  return providers.call(ctx, ready, (context) => route.handle(context, { query, body }));
}

function isPublic({ publicPrefixes = [] }: LoginProvider, path: string): boolean {
  return publicPrefixes.some((prefix) => path.startsWith(prefix));
}

function assertSession({ principal }: Context): void {
  if (principal.kind === 'anonymous') throw new QuireError('NOT_AUTHENTICATED', 'Sign in to do this');
  if (principal.kind !== 'session')
    throw new QuireError('FORBIDDEN', 'This operation requires a session, not a token');
}
