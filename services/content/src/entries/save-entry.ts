import type { Context } from '@quire/context';
import {
  hasSqlState,
  sqlState,
  type DatabaseFailure,
  type Queryable,
  type Statement,
  type Transaction,
} from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { slugIndexName, uniqueIndexName, type CollectionDefinition } from '../schema/index.js';
import { collectionBusyError } from './collection-busy-error.js';
import { canSeeDrafts, StaleEntryError } from './entries.policy.js';
import { toStaleEntryError } from './stale-entry-error.js';
import { leaseGuardOf, assertUnlocked } from './entry-lock.js';
import { liveSlugChange } from './entry-url-changes.js';
import { liveValues, type EntryRow } from './entry-row.js';
import type { EntryDeps } from './entry-deps.js';
import { applyReferences } from './references/apply-references.js';
import type { ReferenceSelection } from './references/reference-selection.js';
import { findEntry, type FindOptions } from './repository/find-entry.js';
import { lockEntryRow, lockEntryGroup } from './repository/lock-entry.js';
import { writeEntry, type EntryChange, type WriteContext } from './repository/write-entry.js';

/** Which entry an operation is about. */
export interface EntryTarget {
  collection: string;
  /** An id or a slug. */
  id: string;
  /** Decides how a slug resolves. */
  locale?: string | undefined;
  /** Writes although somebody else holds the lease on the entry. */
  overrideLock?: boolean | undefined;
}

/** A planned change, with what belongs to the same transaction. */
export interface EntryChangePlan extends EntryChange {
  /** Statements on other tables. */
  extraStatements?: readonly Statement[];
  /** Selections that go live with it. */
  selections?: readonly ReferenceSelection[];
  /** True when what it changes is shared by all translations, so that they are held together. */
  isOfGroup?: boolean;
}

/** Plans the change from the current state of the entry; undefined: no change. */
export type PlanChange = (
  definition: CollectionDefinition,
  row: EntryRow,
  sql: Queryable,
) => Promise<EntryChangePlan | undefined> | EntryChangePlan | undefined;

export interface SavedEntry {
  definition: CollectionDefinition;
  row: EntryRow;
}

/** How often a write is planned again because the collection's definition changed underneath. */
const maxAttempts = 4;

/** What statements fail with when a table is no longer as the definition they were written by says. */
const staleDefinitionStates = [
  sqlState.undefinedTable,
  sqlState.undefinedColumn,
  sqlState.cachedPlanChanged,
  '42804', // datatype mismatch
  '42883', // undefined operator
  '22P02', // invalid text representation
  '22003', // numeric value out of range
  '22007', // invalid datetime format
];

/**
 * Runs work with a collection's definition; when that turns out to be older than the table (a field or the collection
 * is gone, changed by another process a moment ago), again with a fresh one.
 * @throws QuireError COLLECTION_NOT_FOUND, and what `work` throws.
 */
export async function withDefinition<Result>(
  ctx: Context,
  { definitions }: EntryDeps,
  collection: string,
  work: (definition: CollectionDefinition) => Promise<Result>,
): Promise<Result> {
  let definition = await definitions.get(ctx, collection);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      return await work(definition);
    } catch (error) {
      if (!hasSqlState(error, ...staleDefinitionStates)) throw error;
      const { statementKey } = definition;
      definitions.invalidate(ctx.principal.tenant.id);
      definition = await definitions.get(ctx, collection);
      if (definition.statementKey === statementKey) throw error;
    }
  }
  throw collectionBusyError();
}

/** The entry that an operation is about. @throws QuireError NOT_FOUND */
export async function loadEntry(
  sql: Queryable,
  { locales }: EntryDeps,
  definition: CollectionDefinition,
  { id, locale }: EntryTarget,
  options: FindOptions,
): Promise<EntryRow> {
  const requested = locale === undefined ? undefined : locales.requested(locale);
  const address = { idOrSlug: id, locale: requested, defaultLocale: locales.default };
  const row = await findEntry(sql, definition, address, options);
  if (!row) throw notFound('entry');
  return row;
}

/** The rows that exist for a caller who reads. */
export function readableRows(ctx: Context): FindOptions['rows'] {
  return canSeeDrafts(ctx.principal) ? 'not-trashed' : 'published';
}

/** What to lock while an entry is changed: its row, or with `isGroup` the rows of all its translations. */
interface RowLock {
  id: string;
  group: string;
  isGroup: boolean;
}

/**
 * Changes one entry: load, plan, write (style 6). The first attempt reads and writes without holding anything, the
 * write naming the state it was decided on; when another writer came between, the next holds the row. So a single
 * writer pays two statements, and of many writers each gets through.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, ENTRY_LOCKED, SLUG_CONFLICT, CONFLICT (a unique value, or a stale
 * `_rev`, which names the last editor), and what `planChange` throws.
 */
export async function saveEntry(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  planChange: PlanChange,
  rows: FindOptions['rows'] = 'not-trashed',
): Promise<SavedEntry> {
  try {
    return await saveEntryOnce(ctx, deps, target, planChange, rows);
  } catch (error) {
    if (!(error instanceof StaleEntryError)) throw error;
    const definition = await deps.definitions.get(ctx, target.collection);
    throw await toStaleEntryError(ctx, deps.users, definition, error);
  }
}

async function saveEntryOnce(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  planChange: PlanChange,
  rows: FindOptions['rows'],
): Promise<SavedEntry> {
  const writeContext = writeContextOf(ctx, deps, target, rows);
  const outcome = await withDefinition(ctx, deps, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, deps, definition, target, { rows, withLock: true });
    assertUnlocked(row, writeContext.guard);
    const plan = await planChange(definition, row, ctx.db);
    if (!plan) return { definition, row };
    const rowLock: RowLock = { id: row.id, group: row._group, isGroup: concernsGroup(plan) };
    if (rowLock.isGroup || needsTransaction(definition, row, plan)) return rowLock;
    const written = await write(ctx.db, definition, row, plan, writeContext);
    if (written) wakeDispatcher(deps, definition, plan);
    return written ?? rowLock;
  });
  return 'row' in outcome ? outcome : saveEntryLocked(ctx, deps, target, planChange, rows, outcome);
}

/** Trashed entries are not edited: a lease from before does not block restoring. */
function writeContextOf(
  ctx: Context,
  { locales }: EntryDeps,
  { overrideLock }: EntryTarget,
  rows: FindOptions['rows'],
): WriteContext {
  return {
    tenantId: ctx.principal.tenant.id,
    userId: ctx.principal.userId,
    defaultLocale: locales.default,
    guard: rows === 'trashed' ? undefined : leaseGuardOf(ctx.principal, overrideLock),
  };
}

/** Wakes the outbox dispatcher after a change that left messages. */
function wakeDispatcher(
  deps: EntryDeps,
  { hasSubscribers }: CollectionDefinition,
  { message }: EntryChangePlan,
): void {
  if (hasSubscribers || message) deps.wakeDispatcher();
}

/** More than one statement can do. */
function needsTransaction(definition: CollectionDefinition, row: EntryRow, plan: EntryChangePlan): boolean {
  const { extraStatements, selections, columns = {} } = plan;
  const { status = row.status, slug = row.slug, deletedAt = row.deletedAt } = columns;
  const moves = liveSlugChange(definition, row, { status, slug, deletedAt }) !== undefined;
  return moves || (extraStatements?.length ?? 0) > 0 || (selections?.length ?? 0) > 0;
}

const concernsGroup = ({ synchronise, isOfGroup }: EntryChangePlan) =>
  isOfGroup === true || (synchronise?.length ?? 0) > 0;

async function saveEntryLocked(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  planChange: PlanChange,
  rows: FindOptions['rows'],
  rowLock: RowLock,
): Promise<SavedEntry> {
  const { collection } = target;
  const writeContext = writeContextOf(ctx, deps, target, rows);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const changed = await withDefinition(ctx, deps, collection, (definition) =>
      ctx.db.transaction(async (tx) => {
        if (rowLock.isGroup) await lockEntryGroup(tx, definition, rowLock.group);
        else await lockEntryRow(tx, definition, rowLock.id);
        const address = { collection, id: rowLock.id };
        const row = await loadEntry(tx, deps, definition, address, { rows, withLock: true });
        assertUnlocked(row, writeContext.guard);
        const plan = await planChange(definition, row, tx);
        if (!plan) return { definition, row };
        if (concernsGroup(plan) && !rowLock.isGroup) {
          rowLock.isGroup = true;
          return undefined;
        }
        const written = await write(tx, definition, row, plan, writeContext);
        if (!written) return undefined;
        tx.afterCommit(() => wakeDispatcher(deps, definition, plan));
        for (const statement of plan.extraStatements ?? []) await tx.query(statement);
        await applyReferences(tx, row._group, plan.selections ?? []);
        await notifyUrlChange(ctx, tx, deps, { definition, row, written: written.row });
        return plan.extraStatements?.length
          ? { definition, row: await reread(tx, deps, definition, written.row) }
          : written;
      }),
    ).catch(retryAfterRace);
    if (changed) return changed;
    // Held, and still not as it was decided on: the collection itself has changed.
    deps.definitions.invalidate(ctx.principal.tenant.id);
  }
  throw collectionBusyError();
}

/** Notifies the listener that the public URL of an entry has changed. */
async function notifyUrlChange(
  ctx: Context,
  tx: Transaction,
  { urlListener }: EntryDeps,
  { definition, row, written }: { definition: CollectionDefinition; row: EntryRow; written: EntryRow },
): Promise<void> {
  const slugs = liveSlugChange(definition, row, written);
  if (!slugs) return;
  const entry = { id: row.id, locale: row._locale };
  await urlListener.onUrlChanged(tx, { tenantId: ctx.principal.tenant.id, definition, entry, ...slugs });
}

async function reread(
  sql: Queryable,
  deps: EntryDeps,
  definition: CollectionDefinition,
  row: EntryRow,
): Promise<EntryRow> {
  const rows = row.deletedAt === null ? 'not-trashed' : 'trashed';
  return loadEntry(sql, deps, definition, { collection: definition.slug, id: row.id }, { rows });
}

async function write(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
  plan: EntryChangePlan,
  writeContext: WriteContext,
): Promise<SavedEntry | undefined> {
  try {
    const [written] = await sql.query<EntryRow>(writeEntry(definition, row, plan, writeContext));
    if (!written) return undefined;
    written._draft = draftAfter(definition, row, written, plan);
    return { definition, row: written };
  } catch (error) {
    throw toConflictError(definition, error);
  }
}

/** The draft that a written row has: staged by this very change, left as it was, or what was live until now. */
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

/**
 * For `catch`: a transaction that lost to another one, or that names what another one has just deleted (a byline), is
 * to be decided again.
 */
export function retryAfterRace(error: unknown): undefined {
  if (hasSqlState(error, sqlState.deadlock, sqlState.serialization, sqlState.foreignKeyViolation))
    return undefined;
  throw error;
}

/** A violated unique index in the words of the API: SLUG_CONFLICT, or CONFLICT naming the field (decision 10). */
export function toConflictError(definition: CollectionDefinition, error: unknown): unknown {
  if (!hasSqlState(error, sqlState.uniqueViolation)) return error;
  const { constraint } = error as DatabaseFailure;
  if (constraint === slugIndexName(definition.table)) {
    return new QuireError('SLUG_CONFLICT', 'slug: already used by another entry of this locale', {
      cause: error,
    });
  }
  const field = definition.columns.find(({ slug }) => constraint === uniqueIndexName(definition.table, slug));
  if (!field)
    return new QuireError('CONFLICT', 'The translation group already has an entry in this locale', {
      cause: error,
    });
  return new QuireError('CONFLICT', `${field.slug}: value already used by another entry`, {
    details: { field: field.slug },
    cause: error,
  });
}
