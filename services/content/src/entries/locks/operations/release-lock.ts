import type { Context } from '@quire/context';
import type { EntryDeps, EntryTarget } from '../../index.js';
import { withLockableEntry } from '../lock-status.js';

/**
 * Ends the caller's own lease. One that was taken with a token ends with the same token alone; there is no error when
 * nothing was held.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN.
 */
export async function releaseLock(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  token: string | undefined,
): Promise<{ released: boolean }> {
  return withLockableEntry(ctx, deps, target, { released: false }, async ({ id, userId }) => {
    const released = await ctx.db.query<{ isValid: boolean }>(
      `DELETE FROM entry_locks WHERE entry_id = $1 AND user_id = $2 AND (token IS NULL OR token = $3)
       RETURNING expires_at > now() AS "isValid"`,
      [id, userId, token ?? null],
    );
    return { released: released[0]?.isValid ?? false };
  });
}
