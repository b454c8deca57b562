import { generateSlug, nextSlug, slugSource } from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type DatabaseFailure, type Queryable, type Statement } from '@quire/database';
import type { SaveResponse } from '@quire/idempotency';
import { bylineStatements, type Credit } from '../bylines/credits/index.js';
import { slugIndexName, type CollectionDefinition } from '../schema/index.js';
import { collectionBusyError } from './collection-busy-error.js';
import { loadEntry, toConflictError, retryAfterRace, withDefinition } from './save-entry.js';
import { toEntryResponse, type EntryResponse } from './entry.mapper.js';
import type { EntryRow, EntryValues } from './entry-row.js';
import type { EntryDeps } from './entry-deps.js';
import { applyReferences, assertSelectionsWithinLimits } from './references/apply-references.js';
import { asStaged, isGroupPublished, type ReferenceSelection } from './references/reference-selection.js';
import { lockEntryGroup } from './repository/lock-entry.js';
import {
  insertDraft,
  insertEntry,
  synchroniseGroup,
  selectTakenSlugs,
  type NewEntry,
} from './repository/insert-entry.js';
import { changedSharedFields, sharedFields } from './translations/shared-fields.js';

/** What will be inserted, checked; the slug may still need a suffix. */
export interface NewEntryPlan {
  entry: NewEntry;
  /** True when the slug was made from the title, and so gives way when it is taken. */
  isSlugGenerated: boolean;
  credits: readonly Credit[];
  /** For a translation, the member of the group whose shared values it was planned with. */
  source?: EntryRow | undefined;
  /**
   * What it selects; the whole translation group selects it. It waits in a draft while readers see one of the group.
   */
  selections?: readonly ReferenceSelection[];
  /** Statements on other tables that belong into the same transaction. */
  extraStatements?: readonly Statement[];
}

/** What is done with the inserted row before its transaction ends. */
type BeforeCommit = (tx: Queryable, row: EntryRow) => Promise<void>;

/** How often an entry is planned again because its collection or its group changed underneath. */
const maxAttempts = 4;
/** How often a generated slug gives way; only slugs that other stems make can come between after the first time. */
const maxSlugs = 20;

/** The slug that an entry gets from its title, else its name; null when it has neither (contract 2, Slugs). */
export function slugFromTitle(values: EntryValues): string | null {
  const source = slugSource(values);
  return source === null ? null : generateSlug(source);
}

/**
 * Inserts the entry that `plan` says. When the collection, or what a translation shares with its group, changed between
 * plan and insert, both are done again.
 * @param save keeps the response in the transaction of the insert
 * @throws QuireError COLLECTION_NOT_FOUND, SLUG_CONFLICT (a given slug is taken), CONFLICT, and what `plan` throws.
 */
export async function insertEntryWithSlug(
  ctx: Context,
  deps: EntryDeps,
  collection: string,
  plan: (definition: CollectionDefinition) => Promise<NewEntryPlan>,
  save?: SaveResponse,
): Promise<EntryResponse> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const response = await withDefinition(ctx, deps, collection, async (definition) => {
      let saved: EntryResponse | undefined;
      const beforeCommit: BeforeCommit | undefined =
        save &&
        (async (tx, row) => {
          saved = await toEntryResponse(ctx, deps, { definition, row });
          await save(tx, 201, saved);
        });
      const planned = await plan(definition);
      const row = await insertWithSlugRetries(ctx, deps, definition, planned, beforeCommit).catch(
        retryAfterRace,
      );
      if (row && definition.hasSubscribers) deps.wakeDispatcher();
      return row && (saved ?? toEntryResponse(ctx, deps, { definition, row }));
    });
    if (response) return response;
    deps.definitions.invalidate(ctx.principal.tenant.id);
  }
  throw collectionBusyError();
}

/**
 * Tries an optimistic insert. If a generated slug is taken, retries under an advisory lock per slug stem, so concurrent
 * inserts get distinct slugs.
 * @returns undefined when the collection or the group changed meanwhile.
 */
async function insertWithSlugRetries(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  plan: NewEntryPlan,
  beforeCommit?: BeforeCommit,
): Promise<EntryRow | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) return await insertWithSlugLock(ctx, deps, definition, plan, beforeCommit);
      if (beforeCommit || needsTransaction(plan)) {
        return await ctx.db.transaction((tx) =>
          insertInTransaction(tx, deps, definition, plan, beforeCommit),
        );
      }
      const [row] = await ctx.db.query<EntryRow>(insertEntry(definition, plan.entry, deps.locales.default));
      return row;
    } catch (error) {
      const givesWay = plan.isSlugGenerated && isSlugTaken(definition, error) && attempt < maxSlugs;
      if (!givesWay) throw toConflictError(definition, error);
    }
  }
}

/** More than one statement can do. */
function needsTransaction({ credits, source, selections = [], extraStatements }: NewEntryPlan): boolean {
  return credits.length > 0 || source !== undefined || selections.length > 0 || extraStatements !== undefined;
}

async function insertWithSlugLock(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  plan: NewEntryPlan,
  beforeCommit?: BeforeCommit,
): Promise<EntryRow | undefined> {
  const { slug: stem, locale } = plan.entry;
  return ctx.db.transaction(async (tx) => {
    const lockKey = `${definition.id}:${locale}:${stem ?? ''}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKey]);
    const slug = nextSlug(stem ?? '', await selectTakenSlugs(tx, definition, stem ?? '', locale));
    const named = { ...plan, entry: { ...plan.entry, slug } };
    return insertInTransaction(tx, deps, definition, named, beforeCommit);
  });
}

async function insertInTransaction(
  tx: Queryable,
  deps: EntryDeps,
  definition: CollectionDefinition,
  plan: NewEntryPlan,
  beforeCommit: BeforeCommit | undefined,
): Promise<EntryRow | undefined> {
  const row = await insertAll(tx, deps, definition, plan);
  if (row) await beforeCommit?.(tx, row);
  return row;
}

async function insertAll(
  tx: Queryable,
  deps: EntryDeps,
  definition: CollectionDefinition,
  { entry, credits, source, selections = [], extraStatements = [] }: NewEntryPlan,
): Promise<EntryRow | undefined> {
  if (source && !(await lockSource(tx, definition, source))) return undefined;
  const [row] = await tx.query<EntryRow>(insertEntry(definition, entry, deps.locales.default));
  if (!row) return undefined;
  const changed = source ? changedSharedFields(definition, source, allFieldValues(definition, entry)) : [];
  const more = [
    ...(credits.length > 0 ? bylineStatements(definition.slug, entry.id, credits) : []),
    ...synchroniseGroup(definition, entry, changed),
    ...extraStatements,
  ];
  for (const statement of more) await tx.query(statement);
  const waits = source !== undefined && (await stageSelections(tx, definition, entry, selections));
  if (!waits) await applyReferences(tx, entry.translationGroup, selections);
  if (credits.length === 0 && !waits) return row;
  const target = { collection: definition.slug, id: entry.id };
  return loadEntry(tx, deps, definition, target, { rows: 'not-trashed' });
}

/**
 * Holds the group of a new translation, so that nobody publishes one of it or deletes the last of it meanwhile.
 * @returns whether its source is still as the translation was planned with.
 */
async function lockSource(
  tx: Queryable,
  definition: CollectionDefinition,
  source: EntryRow,
): Promise<boolean> {
  const locked = (await lockEntryGroup(tx, definition, source._group)).find(({ id }) => id === source.id);
  if (!locked) return false;
  return locked.version === source.version || sharedFields(definition).length === 0;
}

/**
 * Makes what a new translation selects wait in a draft while readers see another of its group: all share one selection.
 * @returns false, and nothing is done, where it may go live.
 * @throws QuireError VALIDATION_ERROR when a limit of a relation would be broken.
 */
async function stageSelections(
  tx: Queryable,
  definition: CollectionDefinition,
  entry: NewEntry,
  selections: readonly ReferenceSelection[],
): Promise<boolean> {
  const { translationGroup: group } = entry;
  if (selections.length === 0 || !definition.supports.has('revisions')) return false;
  if (!(await isGroupPublished(tx, definition, group))) return false;
  await assertSelectionsWithinLimits(tx, group, selections);
  await tx.query(insertDraft(definition, entry, asStaged(selections)));
  return true;
}

/** A new entry has a value for every field: what was not sent is null. */
function allFieldValues(definition: CollectionDefinition, { values }: NewEntry): EntryValues {
  return Object.fromEntries(definition.columns.map(({ slug }) => [slug, values[slug] ?? null]));
}

function isSlugTaken(definition: CollectionDefinition, error: unknown): boolean {
  return (
    hasSqlState(error, sqlState.uniqueViolation) &&
    (error as DatabaseFailure).constraint === slugIndexName(definition.table)
  );
}
