import type { Context } from '@quire/context';
import type { AuditLog } from '../audit/index.js';
import type { VerifiedBearer } from './operations/verify-bearer.js';

const hourMs = 3_600_000;
const maximumKnown = 20_000;

/**
 * Has the audit log tell which token is used from where: once an hour for a token and an address, however often it is used.
 */
export class TokenUses {
  /** When a use is told again, in milliseconds since the epoch; without it the database is asked. */
  private readonly toldUntil = new Map<string, number>();

  constructor(private readonly audit: AuditLog) {}

  /** Takes note of a use. @param ctx of the gateway's question, which tells the request that the token came with */
  async note(ctx: Context, { tokenId, userId }: VerifiedBearer): Promise<void> {
    const { tenant } = ctx.principal;
    const { clientAddress, requestId } = ctx;
    const key = `${tenant.id} ${tokenId} ${clientAddress ?? ''}`;
    const now = Date.now();
    if ((this.toldUntil.get(key) ?? 0) > now) return;
    if (!(await isTold(ctx, tokenId, clientAddress))) {
      await this.audit.record(ctx.db, {
        by: { principal: { kind: 'token', tenant, userId, role: 0, tokenId }, clientAddress, requestId },
        action: 'token.used',
        target: { type: 'token', id: tokenId },
        userId,
      });
    }
    if (this.toldUntil.size >= maximumKnown) this.toldUntil.clear();
    this.toldUntil.set(key, now + hourMs);
  }
}

/** Whether another process told of it within the hour, or this one before it was started anew. */
async function isTold(ctx: Context, tokenId: string, clientAddress: string | null): Promise<boolean> {
  const told = await ctx.db.query(
    `SELECT 1 FROM audit_log
     WHERE action = 'token.used' AND created_at > now() - interval '1 hour'
       AND target_id = $1 AND client_address IS NOT DISTINCT FROM $2
     LIMIT 1`,
    [tokenId, clientAddress],
  );
  return told.length > 0;
}
