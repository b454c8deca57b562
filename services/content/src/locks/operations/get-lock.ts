import type { Context } from '@quire/context';
import type { EntryServices, EntryTarget } from '../../entries/index.js';
import { validLease, withLockStatus, type LockStatus } from '../lock-status.js';

/** Who edits an entry now. @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN. */
export async function getLock(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
): Promise<LockStatus> {
  return withLockStatus(ctx, services, target, ({ id }) => validLease(ctx.db, id));
}
