import { generateSlug, nextSlug, slugSource } from '@quire/content-model';
import type { Context } from '@quire/context';
import {
  hasSqlState,
  sqlState,
  type DatabaseFailure,
  type Queryable,
  type Statement,
  type Transaction,
} from '@quire/database';
import type { SaveResponse } from '@quire/idempotency';
import { bylineStatements, type Credit } from '../bylines/credits/index.js';
import type { Locales } from '../locales/index.js';
import { slugIndexName, type CollectionDefinition } from '../schema/index.js';
import type { EntryDeps } from './entry-deps.js';
import { collectionBusyError, retryAfterRace, toConflictError } from './entry-errors.js';
import { withAllFields, type EntryRow, type EntryValues } from './entry-row.js';
import { toEntryResponse, toEntryResponseWithFiles, type EntryResponse } from './entry.mapper.js';
import { fetchImageFiles } from './hydrate-images.js';
import { loadEntry, withDefinition } from './load-entry.js';
import { applyReferences, assertSelectionsWithinLimits } from './references/apply-references.js';
import { asStaged, type ReferenceSelection } from './references/reference-selection.js';
import { isGroupPublished } from './references/references.repository.js';
import {
  insertDraft,
  insertEntry,
  selectTakenSlugs,
  synchroniseGroup,
  type NewEntry,
} from './repository/insert-entry.js';
import { lockEntryGroup, lockSlugStem } from './repository/lock-entry.js';
import { changeInTransaction, type DecideChange } from './repository/write-change.js';
import { changedSharedFields, sharedFields } from './shared-fields.js';

/** A validated new entry; its slug may still need a suffix. */
export interface NewEntryPlan {
  entry: NewEntry;
  /** Whether the slug was generated from the title: it gets a suffix when it is taken. */
  isSlugGenerated: boolean;
  credits: readonly Credit[];
  /** The entry that a translation was planned with: it has the shared values of the group. */
  source?: EntryRow | undefined;
  /** The selections of the whole translation group. They are staged while readers see an entry of the group. */
  selections?: readonly ReferenceSelection[];
  /** Statements on other tables that belong to the same transaction. */
  extraStatements?: readonly Statement[];
}

export interface InsertRequest {
  /** Slug of the collection. */
  collection: string;
  plan: (definition: CollectionDefinition) => Promise<NewEntryPlan>;
  /** Stores the response in the transaction of the insert. */
  save?: SaveResponse | undefined;
  /** A change of the inserted entry in the same transaction: if it fails, nothing is inserted. */
  followUp?: DecideChange | undefined;
}

/** Work on the inserted row before its transaction ends. @returns the row after it */
type BeforeCommit = (tx: Transaction, row: EntryRow) => Promise<EntryRow>;

/** Attempts at an entry whose collection or group keeps changing. */
const maxAttempts = 4;
/** Attempts at a generated slug; after the first one only slugs that other stems generate can be in the way. */
const maxSlugs = 20;

/** @returns a slug from the title, else the name; null for an entry with neither (contract 2, Slugs). */
export function slugFromTitle(values: EntryValues): string | null {
  const source = slugSource(values);
  return source === null ? null : generateSlug(source);
}

/**
 * Plans and inserts an entry. Both are repeated when the collection, or the values that a translation shares with its
 * group, change between plan and insert.
 * @throws QuireError COLLECTION_NOT_FOUND, SLUG_CONFLICT (a given slug is taken), CONFLICT, ENTRY_LIMIT_EXCEEDED, and
 *   what `plan` throws.
 */
export async function insertEntryWithSlug(
  ctx: Context,
  deps: EntryDeps,
  { collection, plan, save, followUp }: InsertRequest,
): Promise<EntryResponse> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const response = await withDefinition(ctx, deps, collection, async (definition) => {
      const planned = await plan(definition);
      let stored: EntryResponse | undefined;
      let beforeCommit: BeforeCommit | undefined;
      if (save || followUp) {
        // Fetched here, so that the transaction does not wait for the media service.
        const files = save && (await fetchImageFiles(ctx, deps.media, definition, [planned.entry.values]));
        beforeCommit = async (tx, inserted) => {
          const entry = { definition, row: inserted };
          const { row } = followUp ? await changeInTransaction(ctx, tx, deps, entry, followUp) : entry;
          if (!save || !files) return row;
          stored = toEntryResponseWithFiles({ definition, row }, files);
          await save(tx, 201, stored);
          return row;
        };
      }
      const row = await insertWithSlugRetries(ctx, deps, definition, planned, beforeCommit).catch(
        retryAfterRace,
      );
      if (row && definition.hasSubscribers) deps.wakeDispatcher();
      return row && (stored ?? toEntryResponse(ctx, deps, { definition, row }));
    });
    if (response) return response;
    deps.definitions.invalidate(ctx.principal.tenant.id);
  }
  throw collectionBusyError();
}

/**
 * Tries an optimistic insert. If a generated slug is taken, retries under an advisory lock per slug stem, so concurrent
 * inserts get distinct slugs.
 * @returns undefined when the collection or the group has changed since the plan.
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
      if (beforeCommit || needsTransaction(plan) || deps.limit.isSet(ctx)) {
        return await ctx.db.transaction((tx) =>
          insertInTransaction(ctx, tx, deps, { definition, plan, beforeCommit }),
        );
      }
      const [row] = await ctx.db.query<EntryRow>(
        insertEntry(definition, plan.entry, {
          defaultLocale: deps.locales.of(ctx).default,
          trace: ctx.trace,
        }),
      );
      return row;
    } catch (error) {
      const givesWay = plan.isSlugGenerated && isSlugTaken(definition, error) && attempt < maxSlugs;
      if (!givesWay) throw toConflictError(definition, error, plan.entry.slug);
    }
  }
}

/** Whether the insert needs more than one statement. */
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
    await lockSlugStem(tx, definition, { stem: stem ?? '', locale });
    const slug = nextSlug(stem ?? '', await selectTakenSlugs(tx, definition, stem ?? '', locale));
    const named = { ...plan, entry: { ...plan.entry, slug } };
    return insertInTransaction(ctx, tx, deps, { definition, plan: named, beforeCommit });
  });
}

async function insertInTransaction(
  ctx: Context,
  tx: Transaction,
  deps: EntryDeps,
  {
    definition,
    plan,
    beforeCommit,
  }: { definition: CollectionDefinition; plan: NewEntryPlan; beforeCommit: BeforeCommit | undefined },
): Promise<EntryRow | undefined> {
  await deps.limit.assertRoom(tx, ctx, 1);
  const row = await insertAll(tx, deps.locales.of(ctx), definition, plan);
  return row && beforeCommit ? beforeCommit(tx, row) : row;
}

async function insertAll(
  tx: Queryable,
  locales: Locales,
  definition: CollectionDefinition,
  { entry, credits, source, selections = [], extraStatements = [] }: NewEntryPlan,
): Promise<EntryRow | undefined> {
  if (source && !(await lockSource(tx, definition, source))) return undefined;
  const [row] = await tx.query<EntryRow>(
    insertEntry(definition, entry, { defaultLocale: locales.default, trace: tx.trace }),
  );
  if (!row) return undefined;
  const changed = source
    ? changedSharedFields(definition, source, withAllFields(definition, entry.values))
    : [];
  const statements = [
    ...(credits.length > 0 ? bylineStatements(definition.slug, entry.id, credits) : []),
    ...synchroniseGroup(definition, entry, changed),
    ...extraStatements,
  ];
  for (const statement of statements) await tx.query(statement);
  const isStaged = source !== undefined && (await stageSelections(tx, definition, entry, selections));
  if (!isStaged) await applyReferences(tx, entry.translationGroup, selections);
  if (credits.length === 0 && !isStaged) return row;
  const target = { collection: definition.slug, id: entry.id };
  return loadEntry(tx, locales, definition, target, { rows: 'not-trashed' });
}

/**
 * Locks the group of a new translation, so that no other transaction publishes an entry of it or deletes the last one.
 * @returns whether the source is unchanged since the plan.
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
 * Stages the selections of a new translation in a draft if readers see another entry of its group, which shares them.
 * @returns false without a change when they can become live.
 * @throws QuireError VALIDATION_ERROR when a limit of a relation would be exceeded.
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

function isSlugTaken(definition: CollectionDefinition, error: unknown): boolean {
  return (
    hasSqlState(error, sqlState.uniqueViolation) &&
    (error as DatabaseFailure).constraint === slugIndexName(definition.table)
  );
}
