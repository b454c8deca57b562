import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { LoginProvider, ProviderRoute, Query, RouteResponse } from '@quire/login-providers';
import type { LoginProviders } from '../login-providers.js';

/** A request to a provider's own route. */
export interface RouteCall {
  providerId: string;
  method: ProviderRoute['method'];
  /** The path below that of the provider. */
  path: string;
  query: Query;
  body: unknown;
}

/**
 * Handles a request to a provider's own route. Paths that the provider does not declare public require a session.
 * @returns the response of the provider.
 * @throws QuireError NOT_FOUND, NOT_AUTHENTICATED, FORBIDDEN for a token; LoginError for an error of the provider.
 */
export async function handleProviderRoute(
  ctx: Context,
  providers: LoginProviders,
  { providerId, method, path, query, body }: RouteCall,
): Promise<RouteResponse> {
  const isOffered = providers.offered(ctx).some(({ id }) => id === providerId);
  const ready = isOffered && providers.ready(ctx, providerId);
  if (!ready) throw notFound('login provider');
  const route = ready.provider.routes?.find(
    (candidate) => candidate.method === method && candidate.path === path,
  );
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
