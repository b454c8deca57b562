import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import type { AuditLog } from '../../audit/index.js';
import { tokenHash } from '../../tokens/index.js';
import { issueGrant, type IssuedTokens, type NewGrant } from './issue-grant.js';

/** Issues the tokens of a grant, and has the audit log tell that its user let the application in. */
export async function issueToldGrant(
  tx: Sql,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { by, ...grant }: NewGrant & { by: 'code' | 'device' },
): Promise<IssuedTokens> {
  const tokens = await issueGrant(tx, grant);
  const { userId, clientId, scopes } = grant;
  const [made] = await tx.query<{ id: string }>('SELECT id FROM oauth_grants WHERE access_hash = $1', [
    tokenHash(tokens.access_token),
  ]);
  if (!made) throw new Error('A grant that was issued is gone');
  await audit.record(tx, {
    by: ctx,
    actorId: userId,
    action: 'grant.made',
    target: { type: 'grant', id: made.id },
    userId,
    details: { clientId, scopes: [...scopes], by },
  });
  return tokens;
}
