import type { Context } from '@quire/context';
import {
  hasSqlState,
  sqlState,
  type DatabaseFailure,
  type Sql,
  type Statement,
  type Transaction,
} from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { slugIndexName, uniqueIndexName, type CollectionDefinition } from '../schema/index.js';
import { collectionIsChanging } from './collection-is-changing.js';
import { seesDrafts, StaleEntry } from './entries.policy.js';
import { namedEditor } from './entry-editor.js';
import { lockGuard, requireUnlocked } from './entry-lock.js';
import { slugsOfMove } from './entry-moves.js';
import { liveValues, type EntryRow } from './entry-row.js';
import type { EntryServices } from './entry-services.js';
import { applySelections } from './selections/apply-selections.js';
import type { Selection } from './selections/selection.js';
import { findEntry, type FindOptions } from './statements/find-entry.js';
import { holdEntry, holdGroup } from './statements/hold-entry.js';
import { writeEntry, type EntryChange, type WriteCircumstances } from './statements/write-entry.js';

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

/** A decided change, with what belongs into the same transaction. */
export interface Decision extends EntryChange {
  /** Statements on other tables. */
  alsoRun?: readonly Statement[];
  /** Selections that go live with it. */
  selections?: readonly Selection[];
  /** True when what it changes is shared by all translations, so that they are held together. */
  isOfGroup?: boolean;
}

/** Reads the entry as it is now and says what becomes of it; undefined leaves it alone. */
export type Decide = (
  definition: CollectionDefinition,
  row: EntryRow,
  sql: Sql,
) => Promise<Decision | undefined> | Decision | undefined;

export interface ChangedEntry {
  definition: CollectionDefinition;
  row: EntryRow;
}

/** How often a write is decided anew because the collection's definition changed underneath. */
const maximumAttempts = 4;

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
 * Runs work with a collection's definition; when that turns out to be older than the table (a field or the collection is
 * gone, changed by another process a moment ago), again with a fresh one.
 * @throws QuireError COLLECTION_NOT_FOUND, and what `work` throws.
 */
export async function withDefinition<Result>(
  ctx: Context,
  { definitions }: EntryServices,
  collection: string,
  work: (definition: CollectionDefinition) => Promise<Result>,
): Promise<Result> {
  let definition = await definitions.get(ctx, collection);
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    try {
      return await work(definition);
    } catch (error) {
      if (!hasSqlState(error, ...staleDefinitionStates)) throw error;
      const { statementKey } = definition;
      definitions.drop(ctx.principal.tenant.id);
      definition = await definitions.get(ctx, collection);
      if (definition.statementKey === statementKey) throw error;
    }
  }
  throw collectionIsChanging();
}

/** The entry that an operation is about. @throws QuireError NOT_FOUND */
export async function loadEntry(
  sql: Sql,
  { locales }: EntryServices,
  definition: CollectionDefinition,
  { id, locale }: EntryTarget,
  options: FindOptions,
): Promise<EntryRow> {
  const asked = locale === undefined ? undefined : locales.asked(locale);
  const address = { idOrSlug: id, locale: asked, defaultLocale: locales.default };
  const row = await findEntry(sql, definition, address, options);
  if (!row) throw notFound('entry');
  return row;
}

/** The rows that exist for a caller who reads. */
export function readableRows(ctx: Context): FindOptions['rows'] {
  return seesDrafts(ctx.principal) ? 'not-trashed' : 'published';
}

/** What to hold while an entry is changed: its row, or with `isGroup` the rows of all its translations. */
interface Hold {
  id: string;
  group: string;
  isGroup: boolean;
}

/**
 * Changes one entry: load, decide, write (style 6). The first attempt reads and writes without holding anything, the
 * write naming the state it was decided on; when another writer came between, the next holds the row. So a single
 * writer pays two statements, and of many writers each gets through.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, ENTRY_LOCKED, SLUG_CONFLICT, CONFLICT (a unique value, or a stale
 * `_rev`, which names the last editor), and what `decide` throws.
 */
export async function changeEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  decide: Decide,
  rows: FindOptions['rows'] = 'not-trashed',
): Promise<ChangedEntry> {
  try {
    return await changeOnce(ctx, services, target, decide, rows);
  } catch (error) {
    if (!(error instanceof StaleEntry)) throw error;
    const definition = await services.definitions.get(ctx, target.collection);
    throw await namedEditor(ctx, services.users, definition, error);
  }
}

async function changeOnce(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  decide: Decide,
  rows: FindOptions['rows'],
): Promise<ChangedEntry> {
  const circumstances = circumstancesOf(ctx, services, target, rows);
  const outcome = await withDefinition(ctx, services, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, services, definition, target, { rows, withLock: true });
    requireUnlocked(row, circumstances.guard);
    const decision = await decide(definition, row, ctx.db);
    if (!decision) return { definition, row };
    const hold: Hold = { id: row.id, group: row._group, isGroup: concernsGroup(decision) };
    if (hold.isGroup || needsTransaction(definition, row, decision)) return hold;
    const written = await write(ctx.db, definition, row, decision, circumstances);
    if (written) announce(services, definition, decision);
    return written ?? hold;
  });
  return 'row' in outcome ? outcome : changeHolding(ctx, services, target, decide, rows, outcome);
}

/** Nobody edits what lies in the trash: a lease from before does not hold its restoring up. */
function circumstancesOf(
  ctx: Context,
  { locales }: EntryServices,
  { overrideLock }: EntryTarget,
  rows: FindOptions['rows'],
): WriteCircumstances {
  return {
    tenantId: ctx.principal.tenant.id,
    userId: ctx.principal.userId,
    defaultLocale: locales.default,
    guard: rows === 'trashed' ? undefined : lockGuard(ctx.principal, overrideLock),
  };
}

/** Sends what a committed change has left in the outbox on its way. */
function announce(
  services: EntryServices,
  { isFollowed }: CollectionDefinition,
  { message }: Decision,
): void {
  if (isFollowed || message) services.announce();
}

/** More than one statement can do. */
function needsTransaction(definition: CollectionDefinition, row: EntryRow, decision: Decision): boolean {
  const { alsoRun, selections, columns = {} } = decision;
  const { status = row.status, slug = row.slug, deletedAt = row.deletedAt } = columns;
  const moves = slugsOfMove(definition, row, { status, slug, deletedAt }) !== undefined;
  return moves || (alsoRun?.length ?? 0) > 0 || (selections?.length ?? 0) > 0;
}

const concernsGroup = ({ synchronise, isOfGroup }: Decision) =>
  isOfGroup === true || (synchronise?.length ?? 0) > 0;

async function changeHolding(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  decide: Decide,
  rows: FindOptions['rows'],
  hold: Hold,
): Promise<ChangedEntry> {
  const { collection } = target;
  const circumstances = circumstancesOf(ctx, services, target, rows);
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    const changed = await withDefinition(ctx, services, collection, (definition) =>
      ctx.db.transaction(async (tx) => {
        if (hold.isGroup) await holdGroup(tx, definition, hold.group);
        else await holdEntry(tx, definition, hold.id);
        const address = { collection, id: hold.id };
        const row = await loadEntry(tx, services, definition, address, { rows, withLock: true });
        requireUnlocked(row, circumstances.guard);
        const decision = await decide(definition, row, tx);
        if (!decision) return { definition, row };
        if (concernsGroup(decision) && !hold.isGroup) {
          hold.isGroup = true;
          return undefined;
        }
        const written = await write(tx, definition, row, decision, circumstances);
        if (!written) return undefined;
        tx.afterCommit(() => announce(services, definition, decision));
        for (const statement of decision.alsoRun ?? []) await tx.query(statement);
        await applySelections(tx, row._group, decision.selections ?? []);
        await announceMove(ctx, tx, services, { definition, row, written: written.row });
        return decision.alsoRun?.length
          ? { definition, row: await reread(tx, services, definition, written.row) }
          : written;
      }),
    ).catch(retryAfterRace);
    if (changed) return changed;
    // Held, and still not as it was decided on: the collection itself has changed.
    services.definitions.drop(ctx.principal.tenant.id);
  }
  throw collectionIsChanging();
}

/** Says that an entry has another address on the live site from now on. */
async function announceMove(
  ctx: Context,
  tx: Transaction,
  { moves }: EntryServices,
  { definition, row, written }: { definition: CollectionDefinition; row: EntryRow; written: EntryRow },
): Promise<void> {
  const slugs = slugsOfMove(definition, row, written);
  if (!slugs) return;
  const entry = { id: row.id, locale: row._locale };
  await moves.moved(tx, { tenantId: ctx.principal.tenant.id, definition, entry, ...slugs });
}

async function reread(
  sql: Sql,
  services: EntryServices,
  definition: CollectionDefinition,
  row: EntryRow,
): Promise<EntryRow> {
  const rows = row.deletedAt === null ? 'not-trashed' : 'trashed';
  return loadEntry(sql, services, definition, { collection: definition.slug, id: row.id }, { rows });
}

async function write(
  sql: Sql,
  definition: CollectionDefinition,
  row: EntryRow,
  decision: Decision,
  circumstances: WriteCircumstances,
): Promise<ChangedEntry | undefined> {
  try {
    const [written] = await sql.query<EntryRow>(writeEntry(definition, row, decision, circumstances));
    if (!written) return undefined;
    written._draft = draftAfter(definition, row, written, decision);
    return { definition, row: written };
  } catch (error) {
    throw namedConflict(definition, error);
  }
}

/** The draft that a written row has: staged by this very change, left as it was, or what was live until now. */
function draftAfter(
  definition: CollectionDefinition,
  before: EntryRow,
  { draftRevisionId }: EntryRow,
  { revision }: Decision,
): EntryRow['_draft'] {
  if (draftRevisionId === null) return null;
  if (draftRevisionId === revision?.id) return revision.data;
  return draftRevisionId === before.draftRevisionId ? before._draft : liveValues(definition, before);
}

/**
 * For `catch`: a transaction that lost to another one, or that names what another one has just deleted (a byline), is to be
 * decided again.
 */
export function retryAfterRace(error: unknown): undefined {
  if (hasSqlState(error, sqlState.deadlock, sqlState.serialization, sqlState.foreignKeyViolation))
    return undefined;
  throw error;
}

/** A violated unique index in the words of the API: SLUG_CONFLICT, or CONFLICT naming the field (decision 10). */
export function namedConflict(definition: CollectionDefinition, error: unknown): unknown {
  if (!hasSqlState(error, sqlState.uniqueViolation)) return error;
  const { constraint } = error as DatabaseFailure;
  if (constraint === slugIndexName(definition.table)) {
    return new QuireError('SLUG_CONFLICT', 'slug: another entry of this locale has it', { cause: error });
  }
  const field = definition.columns.find(({ slug }) => constraint === uniqueIndexName(definition.table, slug));
  if (!field)
    return new QuireError('CONFLICT', 'The translation group has an entry in this locale already', {
      cause: error,
    });
  return new QuireError('CONFLICT', `${field.slug}: another entry has this value`, {
    details: { field: field.slug },
    cause: error,
  });
}
