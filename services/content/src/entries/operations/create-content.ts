import { validateValues, type InputOptions } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import type { SaveResponse } from '@quire/idempotency';
import { assertOnRow, can } from '@quire/permissions';
import { ulid } from '@quire/values';
import { resolveCredits, selectCredits, type Credit, type CreditInput } from '../../bylines/credits/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import {
  assignmentStatements,
  resolveTermsBySlug,
  type TermsBySlug,
} from '../../taxonomies/assignments/index.js';
import { assertSeoSupported, assertValidSlug } from '../entries.policy.js';
import type { SubmittedText } from '../entries.schemas.js';
import type { EntryDeps } from '../entry-deps.js';
import { liveValues, mergedSeo, type ContentSeo, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryResponse } from '../entry.mapper.js';
import { insertEntryWithSlug, slugFromTitle, type NewEntryPlan } from '../insert-entry-with-slug.js';
import { loadEntry } from '../load-entry.js';
import { MediaResolver } from '../media-resolver.js';
import { missingTargets } from '../references/plain-references.js';
import { asStaged } from '../references/reference-selection.js';
import {
  assertRequiredReferences,
  resolveSelections,
  type SelectionInput,
} from '../references/resolve-references.js';
import type { NewEntry } from '../repository/insert-entry.js';
import type { DecideChange } from '../repository/write-change.js';
import { sharedFields } from '../shared-fields.js';
import { planPublish } from './publish-content.js';

export interface EntryInput {
  /** Slug of the collection. */
  collection: string;
  data: EntryValues;
  /** The JSON text of each submitted value, by field slug; undefined for an entry that was not submitted as JSON. */
  submittedText?: SubmittedText | undefined;
  /** What is accepted in `data` beyond the values of the fields' types. */
  accepts?: InputOptions | undefined;
  slug?: string | null | undefined;
  locale?: string | undefined;
  /** An entry of the same collection that is translated. */
  translationOf?: string | undefined;
  bylines?: readonly CreditInput[] | undefined;
  /** Entry ids by field slug; live at once, unless the entry translates one that readers see. */
  references?: SelectionInput | undefined;
  seo?: Partial<ContentSeo> | undefined;
  taxonomies?: TermsBySlug | undefined;
  createdAt?: string | null | undefined;
  publishedAt?: string | null | undefined;
  /** Publishes the entry in the same transaction; needs the permission to publish own entries. */
  publish?: boolean | undefined;
  /** Stores the response with the entry, under the request's idempotency key. */
  save?: SaveResponse | undefined;
}

/**
 * Creates a draft with the caller as its author, or a published entry (contract 7, createContent).
 * @throws QuireError COLLECTION_NOT_FOUND, NOT_FOUND (translationOf), VALIDATION_ERROR, FORBIDDEN, SLUG_CONFLICT (a
 *   given slug is taken), CONFLICT (a unique value, or the group has the locale), ENTRY_LIMIT_EXCEEDED,
 *   SERVICE_UNAVAILABLE.
 */
export async function createContent(
  ctx: Context,
  deps: EntryDeps,
  { collection, save, publish, ...input }: EntryInput,
): Promise<EntryResponse> {
  const { userId } = ctx.principal;
  const media = new MediaResolver(ctx, deps.media);
  const plan = async (definition: CollectionDefinition) => {
    if (publish) assertOnRow(ctx.principal, 'content:publish', userId);
    return planEntry(ctx, deps, definition, input, media);
  };
  const followUp: DecideChange | undefined = publish
    ? (entry) => planPublish(entry, { actorId: userId })
    : undefined;
  return insertEntryWithSlug(ctx, deps, { collection, plan, save, followUp });
}

type NewEntryInput = Omit<EntryInput, 'collection' | 'save' | 'publish'>;

async function planEntry(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  input: NewEntryInput,
  mediaResolver: MediaResolver,
): Promise<NewEntryPlan> {
  if ((input.createdAt ?? input.publishedAt) && !can(ctx.principal, 'content:publish_any')) {
    throw new QuireError(
      'FORBIDDEN',
      'Your role does not allow setting createdAt or publishedAt (content:publish_any)',
    );
  }
  assertSeoSupported(definition, input.seo);
  const locales = deps.locales.of(ctx);
  const locale = input.locale === undefined ? locales.default : locales.stored(input.locale);
  const source =
    input.translationOf === undefined
      ? undefined
      : await loadSource(ctx, deps, definition, input.translationOf);
  const values = await validateNewValues(ctx.db, definition, input, { source, mediaResolver });
  const givenSlug = input.slug === null || input.slug === '' ? undefined : input.slug;
  if (givenSlug !== undefined) assertValidSlug(givenSlug);
  const credits = await resolveNewCredits(ctx.db, input, source);
  const selections = await resolveSelections(ctx.db, definition, input.references ?? {});
  const terms = await resolveTermsBySlug(
    ctx.db,
    { collection: definition.slug, locale },
    input.taxonomies ?? {},
  );
  const id = ulid();
  await assertRequiredReferences(ctx.db, definition, source?._group ?? id, asStaged(selections));
  const entry: NewEntry = {
    id,
    slug: givenSlug ?? slugFromTitle(values),
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
    isSlugGenerated: givenSlug === undefined,
    credits,
    source,
    selections,
    ...(terms.length > 0 && {
      extraStatements: assignmentStatements(
        { entryGroup: entry.translationGroup, collection: definition.slug },
        terms,
      ),
    }),
  };
}

async function loadSource(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  id: string,
): Promise<EntryRow> {
  const target = { collection: definition.slug, id };
  const source = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, { rows: 'not-trashed' });
  assertOnRow(ctx.principal, 'content:edit', source.authorId);
  return source;
}

/** The credits of the input; a translation without any takes those of its source. */
async function resolveNewCredits(
  sql: Queryable,
  { bylines }: NewEntryInput,
  source: EntryRow | undefined,
): Promise<Credit[]> {
  if (bylines) return resolveCredits(sql, bylines);
  return source ? selectCredits(sql, source.id) : [];
}

/**
 * @returns the values of a new entry, normalised, with the metadata of their media items. A translation has the shared
 *   values of its source, as they are stored: they are not validated, because the client did not submit them.
 * @throws QuireError VALIDATION_ERROR naming every offending field, SERVICE_UNAVAILABLE.
 */
async function validateNewValues(
  sql: Queryable,
  definition: CollectionDefinition,
  { data, submittedText, accepts }: Pick<NewEntryInput, 'data' | 'submittedText' | 'accepts'>,
  { source, mediaResolver }: { source: EntryRow | undefined; mediaResolver: MediaResolver },
): Promise<EntryValues> {
  const stored = source ? sharedFieldValues(definition, source) : {};
  const copied = Object.fromEntries(
    Object.entries(stored).filter(([slug, value]) => value !== null && !Object.hasOwn(data, slug)),
  );
  const { values, issues, media, references } = validateValues(
    definition.compiled,
    { ...stored, ...data },
    'create',
    { stored, submittedText, ...accepts },
  );
  issues.push(...(await missingTargets(sql, references, stored)));
  const isSubmitted = ({ path }: { path: string }) => !Object.hasOwn(copied, path.split('.')[0] ?? '');
  const submittedIssues = issues.filter(isSubmitted);
  if (submittedIssues.length > 0) throw invalidInput(submittedIssues);
  await mediaResolver.complete(media.filter(isSubmitted), definition, { stored });
  // Assigned, not spread: values have no prototype, because a field may be named `constructor`.
  return Object.assign(values, copied);
}

function sharedFieldValues(definition: CollectionDefinition, source: EntryRow): EntryValues {
  const live = liveValues(definition, source);
  return Object.fromEntries(sharedFields(definition).map(({ slug }) => [slug, live[slug] ?? null]));
}
