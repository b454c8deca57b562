import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import type { SaveResponse } from '@quire/idempotency';
import { can, assertOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import { resolveCredits, selectCredits, type Credit, type CreditInput } from '../../bylines/credits/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import {
  assignmentStatements,
  resolveTermsBySlug,
  type TermsBySlug,
} from '../../taxonomies/assignments/index.js';
import { loadEntry } from '../save-entry.js';
import type { EntryResponse } from '../entry.mapper.js';
import { MediaResolver } from '../media-resolver.js';
import { liveValues, type ContentSeo, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryDeps } from '../entry-deps.js';
import { insertEntryWithSlug, slugFromTitle, type NewEntryPlan } from '../insert-entry-with-slug.js';
import { missingTargets } from '../references/plain-references.js';
import {
  assertRequiredReferences,
  resolveSelections,
  type SelectionInput,
} from '../references/resolve-references.js';
import { asStaged } from '../references/reference-selection.js';
import type { SubmittedText } from '../submitted-texts.js';
import type { NewEntry } from '../repository/insert-entry.js';
import { sharedFields } from '../translations/shared-fields.js';
import { checkSeo, mergedSeo, assertValidSlug } from './update-content.js';

export interface EntryInput {
  data: EntryValues;
  /** The JSON that each value was sent as, by field slug; undefined for one that was not sent as JSON. */
  submittedText?: SubmittedText | undefined;
  slug?: string | null | undefined;
  locale?: string | undefined;
  /** An entry of the same collection whose translation this is. */
  translationOf?: string | undefined;
  bylines?: readonly CreditInput[] | undefined;
  /** Entry ids by field slug; live at once, unless the entry is a translation of one that readers see. */
  references?: SelectionInput | undefined;
  seo?: Partial<ContentSeo> | undefined;
  taxonomies?: TermsBySlug | undefined;
  createdAt?: string | null | undefined;
  publishedAt?: string | null | undefined;
}

/**
 * Makes a draft, owned by the caller (contract 7, createContent).
 * @param save keeps the answer with it
 * @throws QuireError COLLECTION_NOT_FOUND, NOT_FOUND (translationOf), VALIDATION_ERROR, FORBIDDEN, SLUG_CONFLICT (a
 * given slug is taken), CONFLICT (a unique value, or the group has the locale).
 */
export async function createContent(
  ctx: Context,
  deps: EntryDeps,
  collection: string,
  input: EntryInput,
  save?: SaveResponse,
): Promise<EntryResponse> {
  const media = new MediaResolver(ctx, deps.media);
  const plan = (definition: CollectionDefinition) => planEntry(ctx, deps, definition, input, media);
  return insertEntryWithSlug(ctx, deps, collection, plan, save);
}

async function planEntry(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  input: EntryInput,
  mediaResolver: MediaResolver,
): Promise<NewEntryPlan> {
  if ((input.createdAt ?? input.publishedAt) && !can(ctx.principal, 'content:publish_any')) {
    throw new QuireError(
      'FORBIDDEN',
      'Your role does not allow setting createdAt or publishedAt (content:publish_any)',
    );
  }
  checkSeo(definition, input);
  const locale = input.locale === undefined ? deps.locales.default : deps.locales.stored(input.locale);
  const source =
    input.translationOf === undefined
      ? undefined
      : await loadSource(ctx, deps, definition, input.translationOf);
  const values = await validatedNewValues(ctx.db, definition, input, { source, mediaResolver });
  const given = input.slug === null || input.slug === '' ? undefined : input.slug;
  if (given !== undefined) assertValidSlug(given);
  const credits = await creditsFor(ctx.db, input, source);
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
  const source = await loadEntry(
    ctx.db,
    deps,
    definition,
    { collection: definition.slug, id },
    { rows: 'not-trashed' },
  );
  assertOnRow(ctx.principal, 'content:edit', source.authorId);
  return source;
}

async function creditsFor(
  sql: Queryable,
  { bylines }: EntryInput,
  source: EntryRow | undefined,
): Promise<Credit[]> {
  if (bylines) return resolveCredits(sql, bylines);
  return source ? selectCredits(sql, source.id) : [];
}

/**
 * The values of a new entry: what is sent, normalised and with what the media library says of the items in it, and of
 * the source of a translation the shared ones. Those are copied as they are stored, although the fields may take them
 * no longer: the client did not send them, and the group has them already.
 * @throws QuireError VALIDATION_ERROR naming every offending field, SERVICE_UNAVAILABLE.
 */
async function validatedNewValues(
  sql: Queryable,
  definition: CollectionDefinition,
  { data, submittedText }: Pick<EntryInput, 'data' | 'submittedText'>,
  { source, mediaResolver }: { source: EntryRow | undefined; mediaResolver: MediaResolver },
): Promise<EntryValues> {
  const stored = source ? sharedFieldValues(definition, source) : {};
  const copied = Object.fromEntries(
    Object.entries(stored).filter(([slug, value]) => value !== null && !Object.hasOwn(data, slug)),
  );
  const whole = { ...stored, ...data };
  const { values, issues, media, references } = validateValues(definition.compiled, whole, 'create', {
    stored,
    submittedText,
  });
  issues.push(...(await missingTargets(sql, references, stored)));
  const isSent = ({ path }: { path: string }) => !Object.hasOwn(copied, path.split('.')[0] ?? '');
  const refused = issues.filter(isSent);
  if (refused.length > 0) throw invalidInput(refused);
  await mediaResolver.complete(media.filter(isSent), definition, stored);
  // The values have no prototype, which would give a field named `constructor` one.
  return Object.assign(values, copied);
}

function sharedFieldValues(definition: CollectionDefinition, source: EntryRow): EntryValues {
  const live = liveValues(definition, source);
  return Object.fromEntries(sharedFields(definition).map(({ slug }) => [slug, live[slug] ?? null]));
}
