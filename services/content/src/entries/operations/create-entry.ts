import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { can, requireOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import { resolveCredits, storedCredits, type Credit, type CreditInput } from '../../credits/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { assignmentStatements, resolveTermsBySlug, type TermsBySlug } from '../../term-assignments/index.js';
import { loadEntry } from '../change-entry.js';
import type { EntryAnswer } from '../entry-answer.js';
import { EntryMedia } from '../entry-media.js';
import { liveValues, type ContentSeo, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { insertPlanned, slugFromTitle, type EntryPlan } from '../insert-planned.js';
import { missingTargets } from '../selections/plain-references.js';
import { requireSelected, resolveSelections, type SelectionInput } from '../selections/resolve-selections.js';
import { asStaged } from '../selections/selection.js';
import type { NewEntry } from '../statements/insert-entry.js';
import { sharedFields } from '../synchronised-fields.js';
import { checkSeo, mergedSeo, requireUsableSlug } from './update-entry.js';

export interface EntryInput {
  data: EntryValues;
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
 * @throws QuireError COLLECTION_NOT_FOUND, NOT_FOUND (translationOf), VALIDATION_ERROR, FORBIDDEN, SLUG_CONFLICT (a given
 * slug is taken), CONFLICT (a unique value, or the group has the locale).
 */
export async function createEntry(
  ctx: Context,
  services: EntryServices,
  collection: string,
  input: EntryInput,
): Promise<EntryAnswer> {
  const media = new EntryMedia(ctx, services.media);
  return insertPlanned(ctx, services, collection, (definition) =>
    planEntry(ctx, services, definition, input, media),
  );
}

async function planEntry(
  ctx: Context,
  services: EntryServices,
  definition: CollectionDefinition,
  input: EntryInput,
  library: EntryMedia,
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
  const { values, issues, media, references } = validateValues(
    definition.compiled,
    { ...sharedValues, ...input.data },
    'create',
  );
  issues.push(...(await missingTargets(ctx.db, references, sharedValues)));
  if (issues.length > 0) throw invalidInput(issues);
  await library.complete(media, definition, sharedValues);
  const given = input.slug === null || input.slug === '' ? undefined : input.slug;
  if (given !== undefined) requireUsableSlug(given);
  const credits = await creditsFor(ctx.db, input, source);
  const selections = await resolveSelections(ctx.db, definition, input.references ?? {});
  const terms = await resolveTermsBySlug(
    ctx.db,
    { collection: definition.slug, locale },
    input.taxonomies ?? {},
  );
  const id = ulid();
  await requireSelected(ctx.db, definition, source?._group ?? id, asStaged(selections));
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
      alsoRun: assignmentStatements(
        { entryGroup: entry.translationGroup, collection: definition.slug },
        terms,
      ),
    }),
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

function sharedFieldValues(definition: CollectionDefinition, source: EntryRow): EntryValues {
  const live = liveValues(definition, source);
  return Object.fromEntries(sharedFields(definition).map(({ slug }) => [slug, live[slug] ?? null]));
}
