import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import type { Locales } from '../../locales/index.js';
import type { EntryDeps } from '../entry-deps.js';
import {
  collectionBusyError,
  LookupRequired,
  retryAfterRace,
  StaleEntryError,
  toStaleEntryError,
} from '../entry-errors.js';
import { assertUnlocked } from '../entry-lock.js';
import type { EntryRow } from '../entry-row.js';
import type { SavedEntry } from '../entry.mapper.js';
import { loadEntry, withDefinition, type EntryTarget } from '../load-entry.js';
import type { FindOptions } from './find-entry.js';
import { lockEntryGroup, lockEntryRow } from './lock-entry.js';
import {
  changesUrl,
  reloadEntry,
  wakeDispatcher,
  writeAll,
  writeChange,
  writeContextOf,
  type DecideChange,
  type EntryChangePlan,
} from './write-change.js';
import type { WriteContext } from './write-entry.js';

export interface SaveTarget extends EntryTarget {
  /** Entries that can be changed; those that are not in the trash unless given. */
  rows?: FindOptions['rows'];
  /** Rejects callers without the permission before the lease of another user is reported (contract 2.3). */
  authorise?: (row: EntryRow) => void;
  /** Begins the transaction of the change, which has one then, before rows are locked. */
  beforeLock?: (tx: Transaction) => Promise<void>;
}

/** A change that returns only the state has a result without other columns: it must not leave this file. */
interface ChangeTarget extends SaveTarget, Pick<WriteContext, 'returns'> {}

/** The rows to lock: the entry, or with `isGroup` all its translations. */
interface RowLock {
  id: string;
  group: string;
  isGroup: boolean;
}

/** Attempts with locked rows; further ones are needed when the collection changes, or data of a service is missing. */
const maxAttempts = 4;

/**
 * Changes one entry: loads it, lets `decide` authorise the caller and plan the change, and writes it. The first attempt
 * locks nothing: its statement names the state that the decision was made on. If another writer was faster, the next
 * attempt locks the row first. So a single writer needs two statements, and each of many writers succeeds. A change of
 * the public URL adds its statements in the transaction of the write.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, ENTRY_LOCKED, SLUG_CONFLICT, CONFLICT (a unique value, or a stale
 *   `_rev`, with the last editor), and what `decide` throws.
 */
export async function saveEntry(
  ctx: Context,
  deps: EntryDeps,
  target: SaveTarget,
  decide: DecideChange,
): Promise<SavedEntry> {
  return changeEntry(ctx, deps, { ...target, returns: 'entry' }, decide);
}

/**
 * As `saveEntry`, for work that has no response: the changed entry is not read. On a connection that has not
 * served the site before, the credits take a quarter of the time of the write.
 */
export async function saveEntryWithoutResponse(
  ctx: Context,
  deps: EntryDeps,
  target: SaveTarget,
  decide: DecideChange,
): Promise<void> {
  await changeEntry(ctx, deps, { ...target, returns: 'state' }, decide);
}

async function changeEntry(
  ctx: Context,
  deps: EntryDeps,
  target: ChangeTarget,
  decide: DecideChange,
): Promise<SavedEntry> {
  try {
    const outcome = await saveOptimistically(ctx, deps, target, decide);
    return 'row' in outcome ? outcome : await saveWithLock(ctx, deps, target, decide, outcome);
  } catch (error) {
    if (!(error instanceof StaleEntryError)) throw error;
    const definition = await deps.definitions.get(ctx, target.collection);
    throw await toStaleEntryError(ctx, deps.users, { definition, stale: error });
  }
}

/** @returns the rows to lock for the next attempt when the change needs locked rows, or another writer was faster. */
async function saveOptimistically(
  ctx: Context,
  deps: EntryDeps,
  target: ChangeTarget,
  decide: DecideChange,
): Promise<SavedEntry | RowLock> {
  const writeContext = writeContextOf(ctx, deps, target);
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, readOf(target));
    target.authorise?.(row);
    assertUnlocked(row, writeContext.guard);
    const plan = await decide({ definition, row, sql: ctx.db, isLocked: false });
    if (!plan) return unchanged(ctx.db, deps.locales.of(ctx), { definition, row }, writeContext);
    const rowLock: RowLock = { id: row.id, group: row._group, isGroup: concernsGroup(plan) };
    if (rowLock.isGroup || target.beforeLock || needsRowLock(plan)) return rowLock;
    if (changesUrl(definition, row, plan)) {
      const change = { definition, row, plan, writeContext };
      const moved = await ctx.db.transaction((tx) => writeAll(ctx, tx, deps, change)).catch(retryAfterRace);
      return moved ?? rowLock;
    }
    const saved = await writeChange(ctx.db, definition, row, plan, writeContext);
    if (saved) wakeDispatcher(deps, definition, plan);
    return saved ?? rowLock;
  });
}

async function saveWithLock(
  ctx: Context,
  deps: EntryDeps,
  target: ChangeTarget,
  decide: DecideChange,
  rowLock: RowLock,
): Promise<SavedEntry> {
  const { collection } = target;
  const writeContext = writeContextOf(ctx, deps, target);
  let lock = rowLock;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const saved = await withDefinition(ctx, deps, collection, (definition) =>
      ctx.db.transaction(async (tx) => {
        await target.beforeLock?.(tx);
        if (lock.isGroup) await lockEntryGroup(tx, definition, lock.group);
        else await lockEntryRow(tx, definition, lock.id);
        const address = { collection, id: lock.id };
        const row = await loadEntry(tx, deps.locales.of(ctx), definition, address, readOf(target));
        target.authorise?.(row);
        assertUnlocked(row, writeContext.guard);
        const plan = await decide({ definition, row, sql: tx, isLocked: true });
        if (!plan) return unchanged(tx, deps.locales.of(ctx), { definition, row }, writeContext);
        if (concernsGroup(plan) && !lock.isGroup) {
          lock = { ...lock, isGroup: true };
          return undefined;
        }
        return writeAll(ctx, tx, deps, { definition, row, plan, writeContext });
      }),
    ).catch(retryAfterLookup);
    if (saved) return saved;
    // The row was locked, so an outdated definition is the likely reason.
    deps.definitions.invalidate(ctx.principal.tenant.id);
  }
  throw collectionBusyError();
}

/** For `catch`: fetches what a decision lacks, outside of the transaction, and repeats it, as after a lost race. */
async function retryAfterLookup(error: unknown): Promise<undefined> {
  if (!(error instanceof LookupRequired)) return retryAfterRace(error);
  await error.request();
  return undefined;
}

const readOf = ({ rows = 'not-trashed', returns }: ChangeTarget): FindOptions => ({
  rows,
  withLock: true,
  withoutResponse: returns === 'state',
});

/** Whether the plan depends on rows of other tables, whose changes do not change the version of the entry. */
function needsRowLock({ extraStatements = [], selections = [], followUp }: EntryChangePlan): boolean {
  return extraStatements.length > 0 || selections.length > 0 || followUp !== undefined;
}

const concernsGroup = ({ synchronise = [], isOfGroup = false }: EntryChangePlan) =>
  isOfGroup || synchronise.length > 0;

/** The result of a change that was not made. */
function unchanged(
  sql: Queryable,
  locales: Locales,
  entry: SavedEntry,
  { returns }: WriteContext,
): Promise<SavedEntry> | SavedEntry {
  return returns === 'entry' ? reloadEntry(sql, locales, entry) : entry;
}
