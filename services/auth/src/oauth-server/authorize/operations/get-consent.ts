import type { Context } from '@quire/context';
import { hasPasskeys } from '../../../authentication/passkeys/index.js';
import { isTrustedClient } from '../../clients/client-trust.js';
import { grantableScopes, isSensitiveScope } from '../../scopes.policy.js';
import type { AuthorizationRequest } from './parse-authorization-request.js';

/** What a consent page shows of a request. */
export interface ConsentDetails {
  clientName: string;
  /** ISO time at which the application registered itself; undefined for one that an administrator vouches for. */
  registeredAt: string | undefined;
  redirectUri: string;
  /** E-mail address of the signed-in user. */
  user: string;
  /** What may be granted; each can be taken away. */
  scopes: readonly string[];
  /** Those among them that are not given by one click. */
  sensitiveScopes: readonly string[];
  /** Whether the user has a passkey to give those with. */
  hasPasskeys: boolean;
}

/** What a consent page shows of a request to the user who is signed in. */
export async function getConsent(
  ctx: Context,
  { client, redirectUri, scopes: requested }: AuthorizationRequest,
): Promise<ConsentDetails> {
  const { userId, role } = ctx.principal;
  const [user] = await ctx.db.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  const scopes = grantableScopes(requested, { role, clientScopes: null });
  const isKnown = isTrustedClient(client);
  return {
    clientName: client.name,
    registeredAt: isKnown ? undefined : client.createdAt,
    redirectUri,
    user: user?.email ?? '',
    scopes,
    sensitiveScopes: isKnown ? [] : scopes.filter(isSensitiveScope),
    hasPasskeys: await hasPasskeys(ctx),
  };
}
