import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import { tokenHash } from '../../../tokens/index.js';
import { redirectTo } from '../../clients/redirect-uri.policy.js';
import { lockGrantBasis } from '../../grant-basis.js';
import { grantableScopes } from '../../scopes.policy.js';
import { newSecret } from '../../tokens/token-texts.js';
import type { AuthorizationRequest } from './read-request.js';

const codeMinutes = 10;

/**
 * Carries out a user's decision. He gives what he left checked, as far as the application asked for it and his role may
 * give it.
 * @returns the address at which the application learns of it: a code, `access_denied`, or `invalid_scope` when nothing is
 * left of the grant.
 * @throws QuireError INVALID_REQUEST when the application or the user is gone meanwhile.
 */
export async function decideConsent(
  ctx: Context,
  request: AuthorizationRequest,
  decision: { action: 'approve' | 'deny'; scopes: readonly string[] },
): Promise<string> {
  const { redirectUri, state } = request;
  if (decision.action === 'deny') return redirectTo(redirectUri, { error: 'access_denied', state });
  const checked = request.scopes.filter((scope) => decision.scopes.includes(scope));
  const code = await ctx.db.transaction(async (tx) => {
    const userId = ctx.principal.userId ?? '';
    const basis = await lockGrantBasis(tx, userId, request.clientId);
    if (!basis)
      throw new QuireError('INVALID_REQUEST', 'The application or your account is not known any more');
    const scopes = grantableScopes(checked, basis);
    return scopes.length > 0 ? issueCode(tx, { ...request, userId, scopes }) : undefined;
  });
  return redirectTo(redirectUri, code === undefined ? { error: 'invalid_scope', state } : { code, state });
}

/** Stores a code; those that nobody came for are cleared away. @returns its text. */
async function issueCode(tx: Sql, request: AuthorizationRequest & { userId: string }): Promise<string> {
  const code = newSecret();
  await tx.query(
    `INSERT INTO oauth_codes (code_hash, client_id, user_id, redirect_uri, challenge, scopes, resource, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 minute')`,
    [
      tokenHash(code),
      request.clientId,
      request.userId,
      request.redirectUri,
      request.challenge,
      request.scopes,
      request.resource,
      codeMinutes,
    ],
  );
  await tx.query(
    `DELETE FROM oauth_codes WHERE code_hash IN (
       SELECT code_hash FROM oauth_codes WHERE expires_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED)`,
  );
  return code;
}
