import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { assertOnRow } from '@quire/permissions';
import {
  loadEntry,
  lockJson,
  withDefinition,
  type EntryLock,
  type EntryDeps,
  type EntryTarget,
} from '../index.js';

/** Whether an entry may be edited now, and who edits it (spec document 1, Entry edit lock). */
export interface LockStatus {
  enabled: boolean;
  heldByCaller: boolean;
  holder: EntryLock | null;
}

const disabled: LockStatus = { enabled: false, heldByCaller: false, holder: null };

/** What a request about a lease concerns: the entry it names, which the caller may edit. */
interface LockableEntry {
  id: string;
  userId: string;
}

/**
 * Does something about the lease of an entry that the caller may edit.
 * @returns what `work` does; `whenDisabled` on a collection that has no locking.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN.
 */
export async function withLockableEntry<Result>(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  whenDisabled: Result,
  work: (entry: LockableEntry) => Promise<Result>,
): Promise<Result> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, deps, definition, target, { rows: 'not-trashed' });
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    const { userId } = ctx.principal;
    if (!definition.editLocking || userId === null) return whenDisabled;
    return work({ id: row.id, userId });
  });
}

/** As `withLockableEntry`, for what answers with the status. */
export function withLockStatus(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  work: (entry: LockableEntry) => Promise<EntryLock | null>,
): Promise<LockStatus> {
  return withLockableEntry(ctx, deps, target, disabled, async (entry) => {
    const holder = await work(entry);
    return { enabled: true, heldByCaller: holder?.userId === entry.userId, holder };
  });
}

/** The valid lease of an entry, or null. */
export async function selectValidLease(sql: Queryable, entryId: string): Promise<EntryLock | null> {
  const [row] = await sql.query<{ lock: EntryLock }>({
    prepared: true,
    text: `SELECT ${lockJson} AS lock FROM entry_locks l WHERE l.entry_id = $1 AND l.expires_at > now()`,
    values: [entryId],
  });
  return row?.lock ?? null;
}
