import type { Context } from '@quire/context';
import { hasPasskeys } from '../../../authentication/passkeys/index.js';
import { selectUser } from '../../../users/index.js';
import { isTrustedClient } from '../../clients/clients.operations.js';
import { grantableScopes, isSensitiveScope } from '../../scopes.policy.js';
import type { AuthorizationRequest } from './parse-authorization-request.js';

/** Content of the consent page. */
export interface ConsentDetails {
  clientName: string;
  /** ISO time at which the application registered itself; undefined for trusted applications. */
  registeredAt: string | undefined;
  redirectUri: string;
  /** E-mail address of the signed-in user. */
  user: string;
  /** The requested scopes that the user's role may grant; the user may deselect each. */
  scopes: readonly string[];
  /** Those among `scopes` that need a passkey or a recent sign-in. */
  sensitiveScopes: readonly string[];
  hasPasskeys: boolean;
}

/** @returns the content of the consent page for the signed-in user (contract 32). */
export async function getConsent(
  ctx: Context,
  { client, redirectUri, scopes: requested }: AuthorizationRequest,
): Promise<ConsentDetails> {
  const { userId, role } = ctx.principal;
  const user = await selectUser(ctx.db, userId ?? '');
  const scopes = grantableScopes(requested, { role, clientScopes: null });
  const isTrusted = isTrustedClient(client);
  return {
    clientName: client.name,
    registeredAt: isTrusted ? undefined : client.createdAt,
    redirectUri,
    user: user?.email ?? '',
    scopes,
    sensitiveScopes: isTrusted ? [] : scopes.filter(isSensitiveScope),
    hasPasskeys: await hasPasskeys(ctx),
  };
}
