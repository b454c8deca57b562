import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { lockGrantSubject } from '../../grant-subject.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { grantableScopes } from '../../scopes.policy.js';
import { issueGrant, type IssuedTokens } from '../issue-grant.js';

export interface PresentedCode {
  code: string;
  redirectUri: string;
  clientId: string;
  verifier: string;
  resource?: string | undefined;
}

interface ConsumedCode {
  clientId: string;
  userId: string;
  redirectUri: string;
  challenge: string;
  scopes: string[];
  resource: string | null;
  isExpired: boolean;
}

/** What the audit log is told with. */
type AuditDeps = { ctx: Context } & Pick<OAuthDeps, 'audit'>;

/** What became of a code: it is spent in any case, so a refusal is committed before it is told. */
type Outcome = { kind: 'issued'; tokens: IssuedTokens } | { kind: 'rejected' } | { kind: 'replayed' };

/**
 * Exchanges an authorization code for tokens. The first presentation spends it, also one that fails; presented once
 * more, it ends what it gave (contract 32).
 * @throws QuireError INVALID_GRANT
 */
export async function exchangeCode(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  presented: PresentedCode,
): Promise<IssuedTokens> {
  const outcome = await ctx.db.transaction((tx) => exchange(tx, { ctx, audit }, presented));
  if (outcome.kind === 'issued') return outcome.tokens;
  if (outcome.kind === 'replayed') relay.invalidate('credentials', ctx.principal.tenant.id);
  throw new QuireError(
    'INVALID_GRANT',
    'The code is unknown, used or expired, or was issued for another request',
  );
}

/** Makes a code worthless that was presented in a request that says too little. */
export async function consumeCode(ctx: Context, code: string): Promise<void> {
  await ctx.db.query('DELETE FROM oauth_codes WHERE code_hash = $1', [tokenHash(code)]);
}

async function exchange(tx: Transaction, deps: AuditDeps, presented: PresentedCode): Promise<Outcome> {
  const codeHash = tokenHash(presented.code);
  const [known] = await tx.query<{ userId: string; clientId: string }>(
    'SELECT user_id AS "userId", client_id AS "clientId" FROM oauth_codes WHERE code_hash = $1',
    [codeHash],
  );
  const subject = known && (await lockGrantSubject(tx, known.userId, known.clientId));
  const code = await deleteCode(tx, codeHash);
  if (!code) return revokeGrantOfCode(tx, deps, codeHash);
  const scopes = subject ? grantableScopes(code.scopes, subject) : [];
  if (!matchesRequest(code, presented) || scopes.length === 0) return { kind: 'rejected' };
  const { userId, clientId } = code;
  return { kind: 'issued', tokens: await issueGrant(tx, deps, { userId, clientId, scopes, codeHash }) };
}

/** Of several who present a code at once, one gets it. */
async function deleteCode(tx: Queryable, codeHash: string): Promise<ConsumedCode | undefined> {
  const [code] = await tx.query<ConsumedCode>(
    `DELETE FROM oauth_codes WHERE code_hash = $1
     RETURNING client_id AS "clientId", user_id AS "userId", redirect_uri AS "redirectUri", challenge, scopes, resource,
       expires_at <= now() AS "isExpired"`,
    [codeHash],
  );
  return code;
}

async function revokeGrantOfCode(
  tx: Queryable,
  { ctx, audit }: AuditDeps,
  codeHash: string,
): Promise<Outcome> {
  const ended = await tx.query<{ id: string; userId: string }>(
    'DELETE FROM oauth_grants WHERE code_hash = $1 RETURNING id, user_id AS "userId"',
    [codeHash],
  );
  for (const { id, userId } of ended) {
    const target = { type: 'grant', id } as const;
    const details = { reason: 'code-reused' } as const;
    await audit.record(tx, { by: ctx, action: 'grant.ended', target, userId, details });
  }
  return { kind: ended.length > 0 ? 'replayed' : 'rejected' };
}

function matchesRequest(
  code: ConsumedCode,
  { clientId, redirectUri, verifier, resource }: PresentedCode,
): boolean {
  return (
    !code.isExpired &&
    code.clientId === clientId &&
    code.redirectUri === redirectUri &&
    code.challenge === createHash('sha256').update(verifier).digest('base64url') &&
    (resource === undefined || resource === code.resource)
  );
}
