import type { Context } from '@quire/context';
import { assertOnRow } from '@quire/permissions';
import { loadEntry, withDefinition, type EntryDeps, type EntryLock, type EntryTarget } from '../index.js';
import { deleteLease, selectValidLease, upsertLease } from './locks.repository.js';

/** Whether an entry can be edited now, and who edits it (spec document 1, Entry edit lock). */
export interface LockStatus {
  /** False for a collection without edit locking. */
  enabled: boolean;
  heldByCaller: boolean;
  holder: EntryLock | null;
}

export interface LockRequest extends EntryTarget {
  /** Names one editing session: a release needs the same token. */
  token?: string | undefined;
  /** Takes over the lease of another user. */
  takeover?: boolean | undefined;
}

const disabled: LockStatus = { enabled: false, heldByCaller: false, holder: null };

/** The entry of a request about leases, which the caller may edit. */
interface LockableEntry {
  entryId: string;
  userId: string;
}

/**
 * @returns the lease on an entry (contract 8).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN.
 */
export async function getEntryLock(ctx: Context, deps: EntryDeps, target: EntryTarget): Promise<LockStatus> {
  return withLockStatus(ctx, deps, target, ({ entryId }) => selectValidLease(ctx.db, entryId));
}

/**
 * Acquires the lease on an entry for seven minutes by the database's clock, or extends the caller's own. A valid lease
 * of another user stays unless it is taken over: that is no error, the status names the holder (contract 8).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN.
 */
export async function acquireEntryLock(
  ctx: Context,
  deps: EntryDeps,
  { token, takeover, ...target }: LockRequest,
): Promise<LockStatus> {
  return withLockStatus(ctx, deps, target, async (entry) => {
    // Others see the name. A lease without one is better than none.
    const userName = await deps.users.nameOrNull(ctx, entry.userId);
    const lease = await upsertLease(ctx.db, { ...entry, userName, token, takeover });
    return lease ?? selectValidLease(ctx.db, entry.entryId);
  });
}

/**
 * Releases the caller's own lease. A lease with a token needs the same token. A missing lease is no error (contract 8).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN.
 */
export async function releaseEntryLock(
  ctx: Context,
  deps: EntryDeps,
  { token, ...target }: Omit<LockRequest, 'takeover'>,
): Promise<{ released: boolean }> {
  const released = await withLockableEntry(ctx, deps, target, (entry) =>
    deleteLease(ctx.db, { ...entry, token }),
  );
  return { released: released ?? false };
}

/** Runs work on the lease of an entry that the caller may edit. @returns undefined without edit locking. */
async function withLockableEntry<Result>(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  work: (entry: LockableEntry) => Promise<Result>,
): Promise<Result | undefined> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, { rows: 'not-trashed' });
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    const { userId } = ctx.principal;
    if (!definition.editLocking || userId === null) return undefined;
    return work({ entryId: row.id, userId });
  });
}

async function withLockStatus(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  work: (entry: LockableEntry) => Promise<EntryLock | null>,
): Promise<LockStatus> {
  const status = await withLockableEntry(ctx, deps, target, async (entry): Promise<LockStatus> => {
    const holder = await work(entry);
    return { enabled: true, heldByCaller: holder?.userId === entry.userId, holder };
  });
  return status ?? disabled;
}
