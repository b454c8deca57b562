import type { Context } from '@quire/context';
import type { Queryable, Statement, Transaction } from '@quire/database';
import type { Locales } from '../../locales/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import type { EntryDeps, EntryUrlChange } from '../entry-deps.js';
import {
  collectionBusyError,
  LookupRequired,
  retryAfterRace,
  StaleEntryError,
  toConflictError,
  toStaleEntryError,
} from '../entry-errors.js';
import { assertUnlocked, leaseGuardOf } from '../entry-lock.js';
import { liveValues, type EntryRow } from '../entry-row.js';
import type { SavedEntry } from '../entry.mapper.js';
import { loadEntry, withDefinition, type EntryTarget } from '../load-entry.js';
import { applyReferences } from '../references/apply-references.js';
import type { ReferenceSelection } from '../references/reference-selection.js';
import type { FindOptions } from './find-entry.js';
import { lockEntryGroup, lockEntryRow } from './lock-entry.js';
import { writeEntry, type EntryChange, type WriteContext } from './write-entry.js';

/** A change of an entry with the changes of other rows that belong to the same transaction. */
export interface EntryChangePlan extends EntryChange {
  /** Statements on other tables. */
  extraStatements?: readonly Statement[];
  /** Selections that become live with the change. */
  selections?: readonly ReferenceSelection[];
  /** Whether the change affects all translations, so that the whole group is locked. */
  isOfGroup?: boolean;
  /** Decides on a further change of the changed entry in the same transaction: both take effect, or neither. */
  followUp?: DecideChange;
}

/** The present state of an entry, for the decision on a change. */
export interface CurrentEntry {
  definition: CollectionDefinition;
  row: EntryRow;
  /** Reads the state that the decision is made on. */
  sql: Queryable;
  /** Whether rows are locked: the decision must not wait for another service then, see `LookupRequired`. */
  isLocked: boolean;
}

/** Authorises a change and decides on it; undefined means no change. May run several times. */
export type DecideChange = (
  entry: CurrentEntry,
) => Promise<EntryChangePlan | undefined> | EntryChangePlan | undefined;

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
 * As `saveEntry`, for work that has no response: the changed entry is not read. Its credits alone cost more than the
 * rest of the change where a connection has not served the site before.
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

/** The edit lease is ignored for trashed entries: a lease from before does not prevent a restore. */
function writeContextOf(
  ctx: Context,
  { locales }: EntryDeps,
  { overrideLock, rows, returns }: Pick<ChangeTarget, 'overrideLock' | 'rows' | 'returns'>,
): WriteContext {
  return {
    tenantId: ctx.principal.tenant.id,
    userId: ctx.principal.userId,
    trace: ctx.trace,
    defaultLocale: locales.of(ctx).default,
    guard: rows === 'trashed' ? undefined : leaseGuardOf(ctx.principal, overrideLock),
    returns,
  };
}

/** Wakes the outbox dispatcher if the change left messages. */
function wakeDispatcher(
  deps: EntryDeps,
  { hasSubscribers }: CollectionDefinition,
  { message }: EntryChangePlan,
): void {
  if (hasSubscribers || message) deps.wakeDispatcher();
}

/** Whether the plan depends on rows of other tables, whose changes do not change the version of the entry. */
function needsRowLock({ extraStatements = [], selections = [], followUp }: EntryChangePlan): boolean {
  return extraStatements.length > 0 || selections.length > 0 || followUp !== undefined;
}

/** Whether the change gives the entry another public URL, or its first one. */
function changesUrl(
  definition: CollectionDefinition,
  row: EntryRow,
  { columns = {} }: EntryChangePlan,
): boolean {
  const { status = row.status, slug = row.slug, deletedAt = row.deletedAt } = columns;
  return liveSlugChange(definition, row, { status, slug, deletedAt }) !== undefined;
}

const concernsGroup = ({ synchronise = [], isOfGroup = false }: EntryChangePlan) =>
  isOfGroup || synchronise.length > 0;

/** @returns undefined when the entry or its collection has changed. */
async function writeChange(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
  plan: EntryChangePlan,
  writeContext: WriteContext,
): Promise<SavedEntry | undefined> {
  try {
    const [written] = await sql.query<EntryRow>(writeEntry(definition, row, plan, writeContext));
    if (!written) return undefined;
    if (writeContext.returns === 'entry') written._draft = draftAfter(definition, row, written, plan);
    return { definition, row: written };
  } catch (error) {
    throw toConflictError(definition, error, plan.columns?.slug);
  }
}

/** A change that is decided, with the state that it was decided on. */
interface DecidedChange {
  definition: CollectionDefinition;
  row: EntryRow;
  plan: EntryChangePlan;
  writeContext: WriteContext;
}

/**
 * Writes a change with everything that belongs to its transaction.
 * @returns undefined when nothing was written
 * @throws what the decision on a further change throws
 */
async function writeAll(
  ctx: Context,
  tx: Transaction,
  deps: EntryDeps,
  { definition, row, plan, writeContext }: DecidedChange,
): Promise<SavedEntry | undefined> {
  const saved = await writeChange(tx, definition, row, plan, writeContext);
  if (!saved) return undefined;
  tx.afterCommit(() => wakeDispatcher(deps, definition, plan));
  const { extraStatements = [], selections = [], followUp } = plan;
  for (const statement of extraStatements) await tx.query(statement);
  await applyReferences(tx, row._group, selections);
  const slugs = liveSlugChange(definition, row, saved.row);
  if (slugs) {
    const entry = { id: row.id, locale: row._locale };
    const change = { tenantId: ctx.principal.tenant.id, definition, entry, ...slugs };
    await deps.urlListener.onUrlChanged(tx, change);
  }
  const hasEntry = writeContext.returns === 'entry';
  if (!hasEntry && !followUp) return saved;
  const isCurrent = hasEntry && extraStatements.length === 0;
  const written = isCurrent ? saved : await reloadEntry(tx, deps.locales.of(ctx), saved);
  return followUp ? changeInTransaction(ctx, tx, deps, written, followUp) : written;
}

/**
 * Changes an entry that this transaction has written before, with the rules of `saveEntry`.
 * @throws QuireError SERVICE_UNAVAILABLE when its collection has changed since, and what `decide` throws: the
 *   transaction must end without effect then
 */
export async function changeInTransaction(
  ctx: Context,
  tx: Transaction,
  deps: EntryDeps,
  { definition, row }: SavedEntry,
  decide: DecideChange,
): Promise<SavedEntry> {
  const plan = await decide({ definition, row, sql: tx, isLocked: true });
  if (!plan) return { definition, row };
  const writeContext = writeContextOf(ctx, deps, { overrideLock: true, returns: 'entry' });
  const saved = await writeAll(ctx, tx, deps, { definition, row, plan, writeContext });
  if (!saved) throw collectionBusyError();
  return saved;
}

/** The result of a change that was not made. */
function unchanged(
  sql: Queryable,
  locales: Locales,
  entry: SavedEntry,
  { returns }: WriteContext,
): Promise<SavedEntry> | SavedEntry {
  return returns === 'entry' ? reloadEntry(sql, locales, entry) : entry;
}

/** Reads an entry with its credits: extra statements may have changed them, and a read for a change leaves them out. */
async function reloadEntry(
  sql: Queryable,
  locales: Locales,
  { definition, row }: SavedEntry,
): Promise<SavedEntry> {
  const rows = row.deletedAt === null ? 'not-trashed' : 'trashed';
  const address = { collection: definition.slug, id: row.id };
  return { definition, row: await loadEntry(sql, locales, definition, address, { rows }) };
}

/** The draft of a written row: the one that the change has staged, the former one, or the formerly live values. */
function draftAfter(
  definition: CollectionDefinition,
  before: EntryRow,
  { draftRevisionId }: EntryRow,
  { revision }: EntryChangePlan,
): EntryRow['_draft'] {
  if (draftRevisionId === null) return null;
  if (draftRevisionId === revision?.id) return revision.data;
  return draftRevisionId === before.draftRevisionId ? before._draft : liveValues(definition, before);
}

/** @returns the former and the new public slug if the change gives the entry another public URL, or its first one. */
function liveSlugChange(
  { routable }: CollectionDefinition,
  before: EntryRow,
  after: Pick<EntryRow, 'status' | 'slug'> & { deletedAt: string | null },
): Pick<EntryUrlChange, 'fromSlug' | 'toSlug'> | undefined {
  const fromSlug = before.status === 'published' ? before.slug : null;
  const isLive = after.status === 'published' && after.deletedAt === null;
  if (!routable || !isLive || after.slug === null || after.slug === fromSlug) return undefined;
  return { fromSlug, toSlug: after.slug };
}
