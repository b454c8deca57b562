import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { CacheInvalidationBus } from '@quire/messages';
import type { AuditLog } from '../../../audit/index.js';
import { revokeSessions } from '../../sessions/index.js';
import { lockPasskeys } from '../passkeys.repository.js';

/**
 * Removes one of the caller's passkeys, and ends their other sessions: one of them may be of whoever has the passkey
 * now.
 * @throws QuireError NOT_FOUND, LAST_PASSKEY.
 */
export async function removePasskey(
  ctx: Context,
  { audit, relay }: { audit: AuditLog; relay: CacheInvalidationBus },
  id: string,
): Promise<void> {
  const { userId, sessionId, tenant } = ctx.principal;
  await ctx.db.transaction(async (tx) => {
    const count = await lockPasskeys(tx, userId);
    const removed = await tx.query('DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING id', [
      id,
      userId,
    ]);
    if (userId === null || removed.length === 0) throw notFound('passkey');
    if (count === 1) throw new QuireError('LAST_PASSKEY', 'The last passkey cannot be removed');
    await revokeSessions(tx, userId, sessionId);
    const target = { type: 'credential', id } as const;
    await audit.record(tx, {
      by: ctx,
      action: 'credential.removed',
      target,
      userId,
      details: { kind: 'passkey' },
    });
    tx.afterCommit(() => relay.invalidate('credentials', tenant.id));
  });
}
