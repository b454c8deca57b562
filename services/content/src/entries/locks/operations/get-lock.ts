import type { Context } from '@quire/context';
import type { EntryDeps, EntryTarget } from '../../index.js';
import { selectValidLease, withLockStatus, type LockStatus } from '../lock-status.js';

/** Who edits an entry now. @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN. */
export async function getLock(ctx: Context, deps: EntryDeps, target: EntryTarget): Promise<LockStatus> {
  return withLockStatus(ctx, deps, target, ({ id }) => selectValidLease(ctx.db, id));
}
