import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { CacheInvalidationBus } from '@quire/messages';
import type { AuditLog } from '../../../audit/index.js';

/**
 * Ends one of the caller's tokens. Gateways forget it at once: the relay message goes out after the row is gone.
 * @throws QuireError NOT_FOUND for an id that is none of the caller's tokens.
 */
export async function revokeApiToken(
  ctx: Context,
  { relay, audit }: { relay: CacheInvalidationBus; audit: AuditLog },
  id: string,
): Promise<void> {
  const { tenant, userId } = ctx.principal;
  await ctx.db.transaction(async (tx) => {
    const revoked = await tx.query('DELETE FROM api_tokens WHERE id = $1 AND user_id = $2 RETURNING id', [
      id,
      userId,
    ]);
    if (revoked.length === 0) throw notFound('token');
    await audit.record(tx, {
      by: ctx,
      action: 'token.revoked',
      target: { type: 'token', id },
      userId: userId ?? undefined,
    });
    tx.afterCommit(() => relay.invalidate('credentials', tenant.id));
  });
}
