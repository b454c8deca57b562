import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Sql, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { tokenHash } from '../../../tokens/index.js';
import { lockGrantBasis } from '../../grant-basis.js';
import type { OAuthServices } from '../../oauth-services.js';
import { grantableScopes } from '../../scopes.policy.js';
import { issueGrant, type IssuedTokens } from '../issue-grant.js';

export interface PresentedCode {
  code: string;
  redirectUri: string;
  clientId: string;
  verifier: string;
  resource?: string | undefined;
}

interface SpentCode {
  clientId: string;
  userId: string;
  redirectUri: string;
  challenge: string;
  scopes: string[];
  resource: string | null;
  isOver: boolean;
}

/** What the audit log is told with. */
type Telling = { ctx: Context } & Pick<OAuthServices, 'audit'>;

/** What became of a code: it is spent in any case, so a refusal is committed before it is told. */
type Outcome = { kind: 'issued'; tokens: IssuedTokens } | { kind: 'refused' } | { kind: 'replayed' };

/**
 * Exchanges an authorization code for tokens. The first presentation spends it, also one that fails; presented once more,
 * it ends what it gave (contract 32).
 * @throws QuireError INVALID_GRANT
 */
export async function exchangeCode(
  ctx: Context,
  { relay, audit }: OAuthServices,
  presented: PresentedCode,
): Promise<IssuedTokens> {
  const outcome = await ctx.db.transaction((tx) => exchange(tx, { ctx, audit }, presented));
  if (outcome.kind === 'issued') return outcome.tokens;
  if (outcome.kind === 'replayed') relay.drop('credentials', ctx.principal.tenant.id);
  throw new QuireError(
    'INVALID_GRANT',
    'The code is unknown, used or expired, or was issued for another request',
  );
}

/** Makes a code worthless that was presented in a request that says too little. */
export async function spendCode(ctx: Context, code: string): Promise<void> {
  await ctx.db.query('DELETE FROM oauth_codes WHERE code_hash = $1', [tokenHash(code)]);
}

async function exchange(tx: Transaction, telling: Telling, presented: PresentedCode): Promise<Outcome> {
  const codeHash = tokenHash(presented.code);
  const [known] = await tx.query<{ userId: string; clientId: string }>(
    'SELECT user_id AS "userId", client_id AS "clientId" FROM oauth_codes WHERE code_hash = $1',
    [codeHash],
  );
  const basis = known && (await lockGrantBasis(tx, known.userId, known.clientId));
  const code = await spend(tx, codeHash);
  if (!code) return endGrantOf(tx, telling, codeHash);
  const scopes = basis ? grantableScopes(code.scopes, basis) : [];
  if (!fits(code, presented) || scopes.length === 0) return { kind: 'refused' };
  const { userId, clientId } = code;
  return { kind: 'issued', tokens: await issueGrant(tx, telling, { userId, clientId, scopes, codeHash }) };
}

/** Of several who present a code at once, one gets it. */
async function spend(tx: Sql, codeHash: string): Promise<SpentCode | undefined> {
  const [code] = await tx.query<SpentCode>(
    `DELETE FROM oauth_codes WHERE code_hash = $1
     RETURNING client_id AS "clientId", user_id AS "userId", redirect_uri AS "redirectUri", challenge, scopes, resource,
       expires_at <= now() AS "isOver"`,
    [codeHash],
  );
  return code;
}

async function endGrantOf(tx: Sql, { ctx, audit }: Telling, codeHash: string): Promise<Outcome> {
  const ended = await tx.query<{ id: string; userId: string }>(
    'DELETE FROM oauth_grants WHERE code_hash = $1 RETURNING id, user_id AS "userId"',
    [codeHash],
  );
  for (const { id, userId } of ended) {
    const target = { type: 'grant', id } as const;
    const details = { reason: 'code-reused' } as const;
    await audit.record(tx, { by: ctx, action: 'grant.ended', target, userId, details });
  }
  return { kind: ended.length > 0 ? 'replayed' : 'refused' };
}

function fits(code: SpentCode, { clientId, redirectUri, verifier, resource }: PresentedCode): boolean {
  return (
    !code.isOver &&
    code.clientId === clientId &&
    code.redirectUri === redirectUri &&
    code.challenge === createHash('sha256').update(verifier).digest('base64url') &&
    (resource === undefined || resource === code.resource)
  );
}
