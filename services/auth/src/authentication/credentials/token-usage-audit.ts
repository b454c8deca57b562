import type { Context } from '@quire/context';
import { orWhenReadOnly } from '@quire/database';
import type { authApi } from '@quire/internal-api';
import { createCache } from '@quire/observability';
import type { AuditLog } from '../../audit/index.js';
import { isTokenUseAudited } from './credentials.repository.js';

const hourMs = 3_600_000;
const maxRecent = 20_000;

/** Audits the use of Bearer tokens: one record per token, client address and hour. */
export class TokenUsageAudit {
  /** Uses of the last hour by tenant, token and client address, which need no further record. */
  private readonly recent = createCache<true>('audited_token_uses', {
    max: maxRecent,
    ttl: hourMs,
    perf: Date,
  });

  constructor(private readonly audit: AuditLog) {}

  /** Audits a use. @param ctx of the gateway's internal request, which carries the origin of the original request */
  async record(ctx: Context, { tokenId, userId }: authApi.VerifiedBearer): Promise<void> {
    const { tenant } = ctx.principal;
    const { clientAddress, requestId } = ctx;
    const key = `${tenant.id} ${tokenId} ${clientAddress ?? ''}`;
    if (this.recent.has(key)) return;
    // Another process may have audited the use, or this one before a restart.
    if (!(await isTokenUseAudited(ctx.db, tokenId, clientAddress))) {
      const recorded = this.audit.record(ctx.db, {
        by: { principal: { kind: 'token', tenant, userId, role: 0, tokenId }, clientAddress, requestId },
        action: 'token.used',
        target: { type: 'token', id: tokenId },
        userId,
      });
      const isRecorded = await orWhenReadOnly(
        recorded.then(() => true),
        () => false,
      );
      // The next use after the move of the site is recorded.
      if (!isRecorded) return;
    }
    this.recent.set(key, true);
  }
}
