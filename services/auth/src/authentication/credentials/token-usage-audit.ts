import type { Context } from '@quire/context';
import type { authApi } from '@quire/internal-api';
import type { AuditLog } from '../../audit/index.js';

const hourMs = 3_600_000;
const maxKnown = 20_000;

/**
 * Audits the use of personal access tokens: at most one record per token, client address and hour.
 */
export class TokenUsageAudit {
  /** Time, in milliseconds since the epoch, until which a use is not recorded again. */
  private readonly loggedUntil = new Map<string, number>();

  constructor(private readonly audit: AuditLog) {}

  /** Audits a use. @param ctx of the gateway's internal request, which carries the origin of the original request */
  async record(ctx: Context, { tokenId, userId }: authApi.VerifiedBearer): Promise<void> {
    const { tenant } = ctx.principal;
    const { clientAddress, requestId } = ctx;
    const key = `${tenant.id} ${tokenId} ${clientAddress ?? ''}`;
    const now = Date.now();
    if ((this.loggedUntil.get(key) ?? 0) > now) return;
    if (!(await isLogged(ctx, tokenId, clientAddress))) {
      await this.audit.record(ctx.db, {
        by: { principal: { kind: 'token', tenant, userId, role: 0, tokenId }, clientAddress, requestId },
        action: 'token.used',
        target: { type: 'token', id: tokenId },
        userId,
      });
    }
    if (this.loggedUntil.size >= maxKnown) this.loggedUntil.clear();
    this.loggedUntil.set(key, now + hourMs);
  }
}

/** Whether the use was already audited within the hour, by another process or before a restart. */
async function isLogged(ctx: Context, tokenId: string, clientAddress: string | null): Promise<boolean> {
  const logged = await ctx.db.query(
    `SELECT 1 FROM audit_log
     WHERE action = 'token.used' AND created_at > now() - interval '1 hour'
       AND target_id = $1 AND client_address IS NOT DISTINCT FROM $2
     LIMIT 1`,
    [tokenId, clientAddress],
  );
  return logged.length > 0;
}
