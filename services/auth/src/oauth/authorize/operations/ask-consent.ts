import type { Context } from '@quire/context';
import { grantableScopes } from '../../scopes.policy.js';
import type { AuthorizationRequest } from './read-request.js';

/** What a consent page shows of a request to the user who is signed in. */
export async function askConsent(
  ctx: Context,
  { clientName, redirectUri, scopes }: AuthorizationRequest,
): Promise<{ clientName: string; redirectUri: string; user: string; scopes: string[] }> {
  const { userId, role } = ctx.principal;
  const [user] = await ctx.db.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  return {
    clientName,
    redirectUri,
    user: user?.email ?? '',
    scopes: grantableScopes(scopes, { role, clientScopes: null }),
  };
}
