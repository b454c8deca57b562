import { isDeepStrictEqual } from 'node:util';
import {
  generateSlug,
  nextSlug,
  slugSource,
  validateValues,
  type FieldDefinition,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type DatabaseFailure, type Sql } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { can, requireOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import {
  bylineStatements,
  resolveCredits,
  storedCredits,
  type Credit,
  type CreditInput,
} from '../../bylines/index.js';
import { slugIndexName, type CollectionDefinition } from '../../schema/index.js';
import { loadEntry, namedConflict, withDefinition } from '../change-entry.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import { liveValues, type ContentSeo, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { insertEntry, synchroniseGroup, takenSlugs, type NewEntry } from '../statements/insert-entry.js';
import { checkSeo, mergedSeo, requireUsableSlug } from './update-entry.js';

export interface EntryInput {
  data: EntryValues;
  slug?: string | null | undefined;
  locale?: string | undefined;
  /** An entry of the same collection whose translation this is. */
  translationOf?: string | undefined;
  bylines?: readonly CreditInput[] | undefined;
  seo?: Partial<ContentSeo> | undefined;
  createdAt?: string | null | undefined;
  publishedAt?: string | null | undefined;
}

const maximumAttempts = 4;

/**
 * Makes a draft, owned by the caller (contract 7, createContent).
 * @throws QuireError COLLECTION_NOT_FOUND, NOT_FOUND (translationOf), VALIDATION_ERROR, FORBIDDEN, SLUG_CONFLICT (a given
 * slug is taken), CONFLICT (a unique value, or the group has the locale).
 */
export async function createEntry(
  ctx: Context,
  services: EntryServices,
  collection: string,
  input: EntryInput,
): Promise<EntryAnswer> {
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    const answer = await withDefinition(ctx, services, collection, async (definition) => {
      const plan = await planEntry(ctx, services, definition, input);
      const row = await insertWithSlug(ctx, services, definition, plan);
      return row && entryAnswer(definition, row, true);
    });
    if (answer) return answer;
    // The collection changed between check and insert: check again by what holds now.
    services.definitions.drop(ctx.principal.tenant.id);
  }
  throw new QuireError('SERVICE_UNAVAILABLE', 'The collection is being changed; try again shortly', {
    retryAfterSeconds: 1,
  });
}

/** What will be inserted, checked; the slug may still need a suffix. */
export interface EntryPlan {
  entry: NewEntry;
  /** True when the slug was made from the title, and so gives way when it is taken. */
  isSlugGenerated: boolean;
  credits: readonly Credit[];
  shared: readonly FieldDefinition[];
}

async function planEntry(
  ctx: Context,
  services: EntryServices,
  definition: CollectionDefinition,
  input: EntryInput,
): Promise<EntryPlan> {
  if ((input.createdAt ?? input.publishedAt) && !can(ctx.principal, 'content:publish_any')) {
    throw new QuireError(
      'FORBIDDEN',
      'Your role does not allow setting createdAt or publishedAt (content:publish_any)',
    );
  }
  checkSeo(definition, input);
  const locale =
    input.locale === undefined ? services.locales.default : services.locales.stored(input.locale);
  const source =
    input.translationOf === undefined
      ? undefined
      : await loadSource(ctx, services, definition, input.translationOf);
  const sharedValues = source ? sharedFieldValues(definition, source) : {};
  const { values, issues } = validateValues(
    definition.compiled,
    { ...sharedValues, ...input.data },
    'create',
  );
  if (issues.length > 0) throw invalidInput(issues);
  const given = input.slug === null || input.slug === '' ? undefined : input.slug;
  if (given !== undefined) requireUsableSlug(given);
  const credits = await creditsFor(ctx.db, input, source);
  const id = ulid();
  const entry: NewEntry = {
    id,
    slug: given ?? slugFromTitle(values),
    locale,
    translationGroup: source?._group ?? id,
    authorId: ctx.principal.userId,
    primaryBylineId: credits[0]?.group ?? null,
    values,
    seo: input.seo ? mergedSeo(null, input.seo) : null,
    createdAt: input.createdAt ?? null,
    publishedAt: input.publishedAt ?? null,
  };
  return {
    entry,
    isSlugGenerated: given === undefined,
    credits,
    shared: source ? changedShared(definition, source, values) : [],
  };
}

async function loadSource(
  ctx: Context,
  services: EntryServices,
  definition: CollectionDefinition,
  id: string,
): Promise<EntryRow> {
  const source = await loadEntry(
    ctx.db,
    services,
    definition,
    { collection: definition.slug, id },
    { rows: 'not-trashed' },
  );
  requireOnRow(ctx.principal, 'content:edit', source.authorId);
  return source;
}

async function creditsFor(
  sql: Sql,
  { bylines }: EntryInput,
  source: EntryRow | undefined,
): Promise<Credit[]> {
  if (bylines) return resolveCredits(sql, bylines);
  return source ? storedCredits(sql, source.id) : [];
}

const isShared = (field: FieldDefinition) => !field.translatable;

function sharedFieldValues(definition: CollectionDefinition, source: EntryRow): EntryValues {
  const live = liveValues(definition, source);
  const shared = definition.columns.filter((field) => isShared(field) && live[field.slug] !== undefined);
  return Object.fromEntries(shared.map(({ slug }) => [slug, live[slug]]));
}

function changedShared(
  definition: CollectionDefinition,
  source: EntryRow,
  values: EntryValues,
): FieldDefinition[] {
  const live = liveValues(definition, source);
  return definition.columns.filter(
    (field) => isShared(field) && !isDeepStrictEqual(live[field.slug] ?? null, values[field.slug] ?? null),
  );
}

/** The slug that an entry gets from its title, else its name; null when it has neither (contract 2, Slugs). */
export function slugFromTitle(values: EntryValues): string | null {
  const source = slugSource(values);
  return source === null ? null : generateSlug(source);
}

/**
 * Inserts the planned entry. The first attempt hopes that the slug is free; when a generated one is not, the next waits
 * for its turn among all who want a slug of that stem, so fifty at once get fifty slugs.
 * @returns undefined when the collection changed meanwhile.
 */
export async function insertWithSlug(
  ctx: Context,
  services: EntryServices,
  definition: CollectionDefinition,
  plan: EntryPlan,
): Promise<EntryRow | undefined> {
  const needsMoreThanTheRow = plan.credits.length > 0 || plan.shared.length > 0;
  try {
    if (!needsMoreThanTheRow) {
      const [row] = await ctx.db.query<EntryRow>(insertEntry(definition, plan.entry));
      return row;
    }
    return await ctx.db.transaction((tx) => insertInTransaction(tx, services, definition, plan));
  } catch (error) {
    if (!plan.isSlugGenerated || !isSlugTaken(definition, error)) throw namedConflict(definition, error);
  }
  const stem = plan.entry.slug ?? '';
  try {
    return await ctx.db.transaction(async (tx) => {
      const turn = `${definition.id}:${plan.entry.locale}:${stem}`;
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [turn]);
      const slug = nextSlug(stem, await takenSlugs(tx, definition, stem, plan.entry.locale));
      return insertInTransaction(tx, services, definition, { ...plan, entry: { ...plan.entry, slug } });
    });
  } catch (error) {
    throw namedConflict(definition, error);
  }
}

async function insertInTransaction(
  tx: Sql,
  services: EntryServices,
  definition: CollectionDefinition,
  { entry, credits, shared }: EntryPlan,
): Promise<EntryRow | undefined> {
  const [row] = await tx.query<EntryRow>(insertEntry(definition, entry));
  if (!row) return undefined;
  const more = [
    ...(credits.length > 0 ? bylineStatements(definition.slug, entry.id, credits) : []),
    ...synchroniseGroup(definition, entry, shared),
  ];
  for (const statement of more) await tx.query(statement);
  if (credits.length === 0) return row;
  return loadEntry(
    tx,
    services,
    definition,
    { collection: definition.slug, id: entry.id },
    { rows: 'not-trashed' },
  );
}

function isSlugTaken(definition: CollectionDefinition, error: unknown): boolean {
  return (
    hasSqlState(error, sqlState.uniqueViolation) &&
    (error as DatabaseFailure).constraint === slugIndexName(definition.table)
  );
}
