import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { CacheRelay } from '@quire/messages';
import type { AuditLog } from '../../audit/index.js';
import { endSessionsOf } from '../../sessions/index.js';
import { holdPasskeysOf } from '../passkeys.repository.js';

/**
 * Removes one of the caller's passkeys, and ends his other sessions: one of them may be of whoever has the passkey now.
 * @throws QuireError NOT_FOUND, LAST_PASSKEY.
 */
export async function removePasskey(
  ctx: Context,
  { audit, relay }: { audit: AuditLog; relay: CacheRelay },
  id: string,
): Promise<void> {
  const { userId, sessionId, tenant } = ctx.principal;
  await ctx.db.transaction(async (tx) => {
    const count = await holdPasskeysOf(tx, userId);
    const removed = await tx.query('DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING id', [
      id,
      userId,
    ]);
    if (userId === null || removed.length === 0) throw notFound('passkey');
    if (count === 1) throw new QuireError('LAST_PASSKEY', 'The last passkey cannot be removed');
    await endSessionsOf(tx, userId, sessionId);
    const target = { type: 'credential', id } as const;
    await audit.record(tx, {
      by: ctx,
      action: 'credential.removed',
      target,
      userId,
      details: { kind: 'passkey' },
    });
    tx.afterCommit(() => relay.drop('credentials', tenant.id));
  });
}
