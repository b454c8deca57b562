import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { lockGrantSubject } from '../../grant-subject.repository.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { grantableScopes } from '../../scopes.policy.js';
import {
  deleteCode,
  deletePresentedCode,
  selectCodeOwner,
  type PresentedCodeRow,
} from '../../authorize/oauth-codes.repository.js';
import { issueGrant, type IssuedTokens } from '../issue-grant.js';
import { deleteGrantsOfCode } from '../oauth-grants.repository.js';

/** The parameters of the token request for an authorization code (RFC 6749, 4.1.3). */
export interface PresentedCode {
  code: string;
  redirectUri: string;
  clientId: string;
  verifier: string;
  resource?: string | undefined;
}

type AuditDeps = { ctx: Context } & Pick<OAuthDeps, 'audit'>;

/** Every outcome consumes the code, so the transaction commits before a rejection is thrown. */
type Outcome =
  { kind: 'issued'; tokens: IssuedTokens } | { kind: 'rejected' } | { kind: 'replayed'; userId: string };

/**
 * Exchanges an authorization code for tokens. The first request consumes the code, even if it is rejected; a second
 * one revokes the grant of the first (contract 32).
 * @throws QuireError INVALID_GRANT
 */
export async function exchangeCode(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  presented: PresentedCode,
): Promise<IssuedTokens> {
  const outcome = await ctx.db.transaction((tx) => exchange(tx, { ctx, audit }, presented));
  if (outcome.kind === 'issued') return outcome.tokens;
  if (outcome.kind === 'replayed') relay.invalidate('credentials', ctx.principal.tenant.id, outcome.userId);
  throw new QuireError(
    'INVALID_GRANT',
    'The code is unknown, used or expired, or was issued for another request',
  );
}

/** Deletes the code of an incomplete or malformed token request. */
export async function consumeCode(ctx: Context, code: string): Promise<void> {
  await deleteCode(ctx.db, tokenHash(code));
}

async function exchange(tx: Transaction, deps: AuditDeps, presented: PresentedCode): Promise<Outcome> {
  const codeHash = tokenHash(presented.code);
  const owner = await selectCodeOwner(tx, codeHash);
  const subject = owner && (await lockGrantSubject(tx, owner.userId, owner.clientId));
  const code = await deletePresentedCode(tx, codeHash);
  if (!code) return revokeGrantOfCode(tx, deps, codeHash);
  const scopes = subject ? grantableScopes(code.scopes, subject) : [];
  if (!matchesRequest(code, presented) || scopes.length === 0) return { kind: 'rejected' };
  const { userId, clientId } = code;
  return { kind: 'issued', tokens: await issueGrant(tx, deps, { userId, clientId, scopes, codeHash }) };
}

async function revokeGrantOfCode(
  tx: Queryable,
  { ctx, audit }: AuditDeps,
  codeHash: string,
): Promise<Outcome> {
  const revoked = await deleteGrantsOfCode(tx, codeHash);
  for (const { id, userId } of revoked) {
    const target = { type: 'grant', id } as const;
    const details = { reason: 'code-reused' } as const;
    await audit.record(tx, { by: ctx, action: 'grant.ended', target, userId, details });
  }
  // A code is exchanged for one user.
  const [first] = revoked;
  return first ? { kind: 'replayed', userId: first.userId } : { kind: 'rejected' };
}

function matchesRequest(
  code: PresentedCodeRow,
  { clientId, redirectUri, verifier, resource }: PresentedCode,
): boolean {
  return (
    !code.isExpired &&
    code.clientId === clientId &&
    code.redirectUri === redirectUri &&
    code.challenge === createHash('sha256').update(verifier).digest('base64url') &&
    // A request without a resource is for the only one.
    (resource === undefined || code.resource === null || resource === code.resource)
  );
}
