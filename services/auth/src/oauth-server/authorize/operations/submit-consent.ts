import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  assertUserPresent,
  type AuthenticationCredential,
  type PasskeyDeps,
} from '../../../authentication/passkeys/index.js';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { isTrustedClient, recordConsent } from '../../clients/clients.operations.js';
import { buildRedirectUri } from '../../clients/redirect-uri.policy.js';
import { lockGrantSubject } from '../../grant-subject.repository.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { grantableScopes, isSensitiveScope } from '../../scopes.policy.js';
import { generateSecret } from '../../tokens/oauth-token-generator.js';
import { deleteExpiredCodes, insertCode } from '../oauth-codes.repository.js';
import type { AuthorizationRequest } from './parse-authorization-request.js';

const codeLifetimeMinutes = 10;

/** Input of the consent page. */
export interface ConsentDecision {
  action: 'approve' | 'deny';
  /** The checked scopes. */
  scopes: readonly string[];
  credential?: AuthenticationCredential | undefined;
}

/**
 * Applies a user's decision (contract 32). The granted scopes are those that are checked, that the application
 * requested and that the user's role may grant. Sensitive scopes for a self-registered application need a passkey
 * (decision 57).
 * @returns the redirect URI with the response to the application: a code, `access_denied`, or `invalid_scope` when no
 *   scope can be granted.
 * @throws QuireError INVALID_REQUEST when the application or the user is deleted; REAUTHENTICATION_REQUIRED,
 *   UNAUTHORIZED.
 */
export async function submitConsent(
  ctx: Context,
  deps: { oauth: OAuthDeps; passkeys: PasskeyDeps },
  { request, decision }: { request: AuthorizationRequest; decision: ConsentDecision },
): Promise<string> {
  const { client, redirectUri, state, iss } = request;
  if (decision.action === 'deny')
    return buildRedirectUri(redirectUri, { error: 'access_denied', state, iss });
  const { role } = ctx.principal;
  const checked = grantableScopes(
    request.scopes.filter((scope) => decision.scopes.includes(scope)),
    { role, clientScopes: null },
  );
  if (!isTrustedClient(client) && checked.some(isSensitiveScope))
    await assertUserPresent(ctx, deps.passkeys, decision.credential);
  const code = await ctx.db.transaction(async (tx) => {
    const userId = ctx.principal.userId ?? '';
    const subject = await lockGrantSubject(tx, userId, client.id);
    if (!subject) throw new QuireError('INVALID_REQUEST', 'The application or your account no longer exists');
    const scopes = grantableScopes(checked, subject);
    if (scopes.length === 0) return undefined;
    await recordConsent(tx, { ctx, audit: deps.oauth.audit }, client.id);
    return issueCode(tx, request, { userId, scopes });
  });
  return buildRedirectUri(
    redirectUri,
    code === undefined ? { error: 'invalid_scope', state, iss } : { code, state, iss },
  );
}

/** Stores a new code and deletes up to 100 expired ones. @returns the code. */
async function issueCode(
  tx: Queryable,
  { client, redirectUri, challenge, resource }: AuthorizationRequest,
  { userId, scopes }: { userId: string; scopes: string[] },
): Promise<string> {
  const code = generateSecret();
  const row = {
    codeHash: tokenHash(code),
    clientId: client.id,
    userId,
    redirectUri,
    challenge,
    scopes,
    resource,
  };
  await insertCode(tx, row, codeLifetimeMinutes);
  await deleteExpiredCodes(tx);
  return code;
}
