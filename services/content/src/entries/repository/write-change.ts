import type { Context } from '@quire/context';
import type { Queryable, Statement, Transaction } from '@quire/database';
import type { Locales } from '../../locales/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import type { EntryDeps, EntryUrlChange } from '../entry-deps.js';
import { collectionBusyError, toConflictError } from '../entry-errors.js';
import { leaseGuardOf } from '../entry-lock.js';
import { liveValues, type EntryRow } from '../entry-row.js';
import type { SavedEntry } from '../entry.mapper.js';
import { loadEntry } from '../load-entry.js';
import { applyReferences } from '../references/apply-references.js';
import type { ReferenceSelection } from '../references/reference-selection.js';
import type { FindOptions } from './find-entry.js';
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

interface WriteOptions extends Pick<WriteContext, 'returns'> {
  /** Ignores another user's lease on the entry. */
  overrideLock?: boolean | undefined;
  rows?: FindOptions['rows'] | undefined;
}

/** The edit lease is ignored for trashed entries: a lease from before does not prevent a restore. */
export function writeContextOf(
  ctx: Context,
  { locales }: EntryDeps,
  { overrideLock, rows, returns }: WriteOptions,
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
export function wakeDispatcher(
  deps: EntryDeps,
  { hasSubscribers }: CollectionDefinition,
  { message }: EntryChangePlan,
): void {
  if (hasSubscribers || message) deps.wakeDispatcher();
}

/** Whether the change gives the entry another public URL, or its first one. */
export function changesUrl(
  definition: CollectionDefinition,
  row: EntryRow,
  { columns = {} }: EntryChangePlan,
): boolean {
  const { status = row.status, slug = row.slug, deletedAt = row.deletedAt } = columns;
  return liveSlugChange(definition, row, { status, slug, deletedAt }) !== undefined;
}

/**
 * Writes a change in one statement.
 * @returns undefined when the entry or its collection has changed; for `returns: 'state'` a row with no other columns
 */
export async function writeChange(
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
export async function writeAll(
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

/** Reads an entry with its credits: extra statements may have changed them, and a read for a change leaves them out. */
export async function reloadEntry(
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
