import { generateSlug, nextSlug, slugSource } from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type DatabaseFailure, type Sql, type Statement } from '@quire/database';
import type { SaveAnswer } from '@quire/idempotency';
import { bylineStatements, type Credit } from '../credits/index.js';
import { slugIndexName, type CollectionDefinition } from '../schema/index.js';
import { collectionIsChanging } from './collection-is-changing.js';
import { loadEntry, namedConflict, retryAfterRace, withDefinition } from './change-entry.js';
import { entryAnswer, type EntryAnswer } from './entry-answer.js';
import type { EntryRow, EntryValues } from './entry-row.js';
import type { EntryServices } from './entry-services.js';
import { applySelections, checkSelections } from './selections/apply-selections.js';
import { asStaged, isGroupPublished, type Selection } from './selections/selection.js';
import { holdGroup } from './statements/hold-entry.js';
import {
  insertDraft,
  insertEntry,
  synchroniseGroup,
  takenSlugs,
  type NewEntry,
} from './statements/insert-entry.js';
import { changedSharedFields, sharedFields } from './synchronised-fields.js';

/** What will be inserted, checked; the slug may still need a suffix. */
export interface EntryPlan {
  entry: NewEntry;
  /** True when the slug was made from the title, and so gives way when it is taken. */
  isSlugGenerated: boolean;
  credits: readonly Credit[];
  /** For a translation, the member of the group whose shared values it was planned with. */
  source?: EntryRow | undefined;
  /** What it selects; the whole translation group selects it. It waits in a draft while readers see one of the group. */
  selections?: readonly Selection[];
  /** Statements on other tables that belong into the same transaction. */
  alsoRun?: readonly Statement[];
}

/** What is done with the inserted row before its transaction ends. */
type BeforeCommit = (tx: Sql, row: EntryRow) => Promise<void>;

/** How often an entry is planned anew because its collection or its group changed underneath. */
const maximumAttempts = 4;
/** How often a generated slug gives way; only slugs that other stems make can come between after the first time. */
const maximumSlugs = 20;

/** The slug that an entry gets from its title, else its name; null when it has neither (contract 2, Slugs). */
export function slugFromTitle(values: EntryValues): string | null {
  const source = slugSource(values);
  return source === null ? null : generateSlug(source);
}

/**
 * Inserts the entry that `plan` says. When the collection, or what a translation shares with its group, changed between
 * plan and insert, both are done again.
 * @param save keeps the answer in the transaction of the insert
 * @throws QuireError COLLECTION_NOT_FOUND, SLUG_CONFLICT (a given slug is taken), CONFLICT, and what `plan` throws.
 */
export async function insertPlanned(
  ctx: Context,
  services: EntryServices,
  collection: string,
  plan: (definition: CollectionDefinition) => Promise<EntryPlan>,
  save?: SaveAnswer,
): Promise<EntryAnswer> {
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    const answer = await withDefinition(ctx, services, collection, async (definition) => {
      let saved: EntryAnswer | undefined;
      const beforeCommit: BeforeCommit | undefined =
        save &&
        (async (tx, row) => {
          saved = await entryAnswer(ctx, services, { definition, row });
          await save(tx, 201, saved);
        });
      const planned = await plan(definition);
      const row = await insertWithSlug(ctx, services, definition, planned, beforeCommit).catch(
        retryAfterRace,
      );
      if (row && definition.isFollowed) services.announce();
      return row && (saved ?? entryAnswer(ctx, services, { definition, row }));
    });
    if (answer) return answer;
    services.definitions.drop(ctx.principal.tenant.id);
  }
  throw collectionIsChanging();
}

/**
 * The first attempt hopes that the slug is free; when a generated one is not, the next waits for its turn among all who
 * want a slug of that stem, so fifty at once get fifty slugs.
 * @returns undefined when the collection or the group changed meanwhile.
 */
async function insertWithSlug(
  ctx: Context,
  services: EntryServices,
  definition: CollectionDefinition,
  plan: EntryPlan,
  beforeCommit?: BeforeCommit,
): Promise<EntryRow | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) return await insertInTurn(ctx, services, definition, plan, beforeCommit);
      if (beforeCommit || takesTransaction(plan)) {
        return await ctx.db.transaction((tx) =>
          insertInTransaction(tx, services, definition, plan, beforeCommit),
        );
      }
      const [row] = await ctx.db.query<EntryRow>(
        insertEntry(definition, plan.entry, services.locales.default),
      );
      return row;
    } catch (error) {
      const givesWay = plan.isSlugGenerated && isSlugTaken(definition, error) && attempt < maximumSlugs;
      if (!givesWay) throw namedConflict(definition, error);
    }
  }
}

/** More than one statement can do. */
function takesTransaction({ credits, source, selections = [], alsoRun }: EntryPlan): boolean {
  return credits.length > 0 || source !== undefined || selections.length > 0 || alsoRun !== undefined;
}

async function insertInTurn(
  ctx: Context,
  services: EntryServices,
  definition: CollectionDefinition,
  plan: EntryPlan,
  beforeCommit?: BeforeCommit,
): Promise<EntryRow | undefined> {
  const { slug: stem, locale } = plan.entry;
  return ctx.db.transaction(async (tx) => {
    const turn = `${definition.id}:${locale}:${stem ?? ''}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [turn]);
    const slug = nextSlug(stem ?? '', await takenSlugs(tx, definition, stem ?? '', locale));
    const named = { ...plan, entry: { ...plan.entry, slug } };
    return insertInTransaction(tx, services, definition, named, beforeCommit);
  });
}

async function insertInTransaction(
  tx: Sql,
  services: EntryServices,
  definition: CollectionDefinition,
  plan: EntryPlan,
  beforeCommit: BeforeCommit | undefined,
): Promise<EntryRow | undefined> {
  const row = await insertAll(tx, services, definition, plan);
  if (row) await beforeCommit?.(tx, row);
  return row;
}

async function insertAll(
  tx: Sql,
  services: EntryServices,
  definition: CollectionDefinition,
  { entry, credits, source, selections = [], alsoRun = [] }: EntryPlan,
): Promise<EntryRow | undefined> {
  if (source && !(await holdSource(tx, definition, source))) return undefined;
  const [row] = await tx.query<EntryRow>(insertEntry(definition, entry, services.locales.default));
  if (!row) return undefined;
  const changed = source ? changedSharedFields(definition, source, everyValue(definition, entry)) : [];
  const more = [
    ...(credits.length > 0 ? bylineStatements(definition.slug, entry.id, credits) : []),
    ...synchroniseGroup(definition, entry, changed),
    ...alsoRun,
  ];
  for (const statement of more) await tx.query(statement);
  const waits = source !== undefined && (await stageSelections(tx, definition, entry, selections));
  if (!waits) await applySelections(tx, entry.translationGroup, selections);
  if (credits.length === 0 && !waits) return row;
  const target = { collection: definition.slug, id: entry.id };
  return loadEntry(tx, services, definition, target, { rows: 'not-trashed' });
}

/**
 * Holds the group of a new translation, so that nobody publishes one of it or deletes the last of it meanwhile.
 * @returns whether its source is still as the translation was planned with.
 */
async function holdSource(tx: Sql, definition: CollectionDefinition, source: EntryRow): Promise<boolean> {
  const held = (await holdGroup(tx, definition, source._group)).find(({ id }) => id === source.id);
  if (!held) return false;
  return held.version === source.version || sharedFields(definition).length === 0;
}

/**
 * Makes what a new translation selects wait in a draft while readers see another of its group: all share one selection.
 * @returns false, and nothing is done, where it may go live.
 * @throws QuireError VALIDATION_ERROR when a limit of a relation would be broken.
 */
async function stageSelections(
  tx: Sql,
  definition: CollectionDefinition,
  entry: NewEntry,
  selections: readonly Selection[],
): Promise<boolean> {
  const { translationGroup: group } = entry;
  if (selections.length === 0 || !definition.supports.has('revisions')) return false;
  if (!(await isGroupPublished(tx, definition, group))) return false;
  await checkSelections(tx, group, selections);
  await tx.query(insertDraft(definition, entry, asStaged(selections)));
  return true;
}

/** A new entry has a value for every field: what was not sent is null. */
function everyValue(definition: CollectionDefinition, { values }: NewEntry): EntryValues {
  return Object.fromEntries(definition.columns.map(({ slug }) => [slug, values[slug] ?? null]));
}

function isSlugTaken(definition: CollectionDefinition, error: unknown): boolean {
  return (
    hasSqlState(error, sqlState.uniqueViolation) &&
    (error as DatabaseFailure).constraint === slugIndexName(definition.table)
  );
}
