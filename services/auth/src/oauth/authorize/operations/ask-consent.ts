import type { Context } from '@quire/context';
import { hasPasskeys } from '../../../passkeys/index.js';
import { isVouchedFor } from '../../clients/client-trust.js';
import { grantableScopes, isPowerful } from '../../scopes.policy.js';
import type { AuthorizationRequest } from './read-request.js';

/** What a consent page shows of a request. */
export interface AskedConsent {
  clientName: string;
  /** ISO time at which the application registered itself; undefined for one that an administrator vouches for. */
  registeredAt: string | undefined;
  redirectUri: string;
  /** E-mail address of the signed-in user. */
  user: string;
  /** What may be granted; each can be taken away. */
  scopes: readonly string[];
  /** Those among them that are not given by one click. */
  powerfulScopes: readonly string[];
  /** Whether the user has a passkey to give those with. */
  hasPasskeys: boolean;
}

/** What a consent page shows of a request to the user who is signed in. */
export async function askConsent(
  ctx: Context,
  { client, redirectUri, scopes: asked }: AuthorizationRequest,
): Promise<AskedConsent> {
  const { userId, role } = ctx.principal;
  const [user] = await ctx.db.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  const scopes = grantableScopes(asked, { role, clientScopes: null });
  const isKnown = isVouchedFor(client);
  return {
    clientName: client.name,
    registeredAt: isKnown ? undefined : client.createdAt,
    redirectUri,
    user: user?.email ?? '',
    scopes,
    powerfulScopes: isKnown ? [] : scopes.filter(isPowerful),
    hasPasskeys: await hasPasskeys(ctx),
  };
}
