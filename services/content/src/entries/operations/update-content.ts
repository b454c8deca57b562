import { givenSlugProblem, validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import { identifier, type Queryable } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { can, assertOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import { bylineStatements, resolveCredits, type CreditInput } from '../../bylines/credits/index.js';
import { stagedSelectionsKey, type CollectionDefinition } from '../../schema/index.js';
import {
  assignmentStatements,
  resolveTermsBySlug,
  type TermsBySlug,
} from '../../taxonomies/assignments/index.js';
import { saveEntry, type EntryChangePlan, type EntryTarget } from '../save-entry.js';
import { isStaged, assertRevisionMatches, assertSlugIfRoutable } from '../entries.policy.js';
import { AuthorValidator } from '../author-validator.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import { MediaResolver } from '../media-resolver.js';
import {
  editedValues,
  stagedSlug,
  withoutNulls,
  type ContentSeo,
  type EntryRow,
  type EntryValues,
} from '../entry-row.js';
import type { EntryDeps } from '../entry-deps.js';
import { assertSelectionsWithinLimits } from '../references/apply-references.js';
import { missingTargets } from '../references/plain-references.js';
import { resolveSelections, type SelectionInput } from '../references/resolve-references.js';
import {
  asStaged,
  stagedOf,
  stagesSelections,
  type ReferenceSelection,
} from '../references/reference-selection.js';
import type { SubmittedText } from '../submitted-texts.js';
import type { EntryChange } from '../repository/write-entry.js';
import { changedSharedFields } from '../translations/shared-fields.js';

export interface EntryUpdate {
  data?: EntryValues | undefined;
  /** As in EntryInput. */
  submittedText?: SubmittedText | undefined;
  slug?: string | null | undefined;
  authorId?: string | null | undefined;
  bylines?: readonly CreditInput[] | undefined;
  /** Entry ids by field slug; fields that are left out keep their selection. */
  references?: SelectionInput | undefined;
  seo?: Partial<ContentSeo> | undefined;
  /** Of the taxonomies that are named, all terms of the entry. */
  taxonomies?: TermsBySlug | undefined;
  publishedAt?: string | null | undefined;
  _rev?: string | undefined;
  /** The new draft replaces the former one instead of following it: autosave. */
  skipRevision?: boolean | undefined;
}

/**
 * Changes what is sent of an entry. Values and slug wait in a draft where the collection stages them; seo, bylines,
 * terms, author and publication date are live at once (spec document 1, rules 1 and 2; contract 7).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, CONFLICT (stale `_rev`, unique
 * value), SLUG_CONFLICT, SERVICE_UNAVAILABLE (new media or a new author cannot be asked for).
 */
export async function updateContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  update: EntryUpdate,
): Promise<EntryResponse> {
  const mediaResolver = new MediaResolver(ctx, deps.media);
  const author = new AuthorValidator(ctx, deps.users);
  const { definition, row } = await saveEntry(ctx, deps, target, async (definition, row, sql) => {
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    assertMaySetPublishedAt(ctx, update);
    assertRevisionMatches(row, update._rev);
    checkSeo(definition, update);
    const values = await validatedValues(sql, definition, update, row, mediaResolver);
    const chosen = await resolveChosenReferences(sql, definition, row, update.references);
    const isDraft = isStaged(definition, row);
    const change = isDraft
      ? await stageDraft(ctx, sql, definition, row, update, { values, selections: chosen.staged })
      : applyLive(definition, row, update, values);
    const live = immediateColumns(ctx, row, update);
    await author.check(live?.authorId ?? null, row);
    const credits = update.bylines && (await resolveCredits(sql, update.bylines));
    const place = { collection: definition.slug, locale: row._locale };
    const terms = await resolveTermsBySlug(sql, place, update.taxonomies ?? {});
    const isLive = live !== undefined || credits !== undefined || terms.length > 0 || chosen.live.length > 0;
    return {
      ...change,
      touches: { updatedAt: !isDraft || isLive, version: true },
      selections: chosen.live,
      columns: { ...change.columns, ...live, ...(credits && { primaryBylineId: credits[0]?.group ?? null }) },
      extraStatements: [
        ...(credits ? bylineStatements(definition.slug, row.id, credits) : []),
        ...assignmentStatements({ entryGroup: row._group, collection: definition.slug }, terms),
      ],
      isOfGroup: terms.length > 0 || chosen.live.length > 0,
    } satisfies EntryChangePlan;
  });
  return toEntryResponse(ctx, deps, { definition, row });
}

/** The sent selections, apart by where they go. @throws QuireError VALIDATION_ERROR (unknown, or over a limit). */
async function resolveChosenReferences(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
  input: SelectionInput | undefined,
): Promise<{ staged: ReferenceSelection[]; live: ReferenceSelection[] }> {
  const selections = await resolveSelections(sql, definition, input ?? {});
  if (selections.length === 0 || !(await stagesSelections(sql, definition, row)))
    return { staged: [], live: selections };
  await assertSelectionsWithinLimits(sql, row._group, selections);
  return { staged: selections, live: [] };
}

function assertMaySetPublishedAt(ctx: Context, { publishedAt }: EntryUpdate): void {
  if (publishedAt !== undefined && !can(ctx.principal, 'content:publish_any')) {
    throw new QuireError('FORBIDDEN', 'Your role does not allow setting publishedAt (content:publish_any)');
  }
}

/**
 * The sent values, normalised, with what the media library says of the items in them.
 * @throws QuireError VALIDATION_ERROR naming every offending field, SERVICE_UNAVAILABLE.
 */
async function validatedValues(
  sql: Queryable,
  definition: CollectionDefinition,
  { data, submittedText }: Pick<EntryUpdate, 'data' | 'submittedText'>,
  row: EntryRow,
  mediaResolver: MediaResolver,
): Promise<EntryValues> {
  if (data === undefined) return {};
  const stored = editedValues(definition, row);
  const { values, issues, media, references } = validateValues(definition.compiled, data, 'update', {
    stored,
    submittedText,
  });
  issues.push(...(await missingTargets(sql, references, stored)));
  if (issues.length > 0) throw invalidInput(issues);
  await mediaResolver.complete(media, definition, stored);
  return values;
}

export function checkSeo(definition: CollectionDefinition, { seo }: Pick<EntryUpdate, 'seo'>): void {
  if (seo !== undefined && !definition.hasSeo) {
    throw invalidInput([{ path: 'seo', message: 'this collection has no SEO data' }]);
  }
}

/** @throws QuireError VALIDATION_ERROR for a slug that no entry may have. */
export function assertValidSlug(slug: string): void {
  const problem = givenSlugProblem(slug);
  if (problem !== null) throw invalidInput([{ path: 'slug', message: problem }]);
}

type PartialEntryChange = Pick<
  EntryChange,
  'columns' | 'values' | 'revision' | 'dropRevision' | 'synchronise'
>;

async function stageDraft(
  ctx: Context,
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
  update: EntryUpdate,
  { values, selections }: { values: EntryValues; selections: readonly ReferenceSelection[] },
): Promise<PartialEntryChange> {
  const slug = update.slug ?? undefined;
  if (update.data === undefined && slug === undefined && selections.length === 0) return {};
  if (slug !== undefined) {
    assertValidSlug(slug);
    await assertSlugAvailable(sql, definition, row, slug);
  }
  const id = ulid();
  const draftData = withoutNulls({ ...editedValues(definition, row), ...values });
  const stagedSlugValue = slug ?? stagedSlug(row);
  const selected = { ...stagedOf(row), ...asStaged(selections) };
  const replaces = update.skipRevision || !definition.supports.has('revisions');
  return {
    columns: { draftRevisionId: id },
    revision: {
      id,
      data: {
        ...draftData,
        ...(stagedSlugValue === undefined ? {} : { _slug: stagedSlugValue }),
        ...(Object.keys(selected).length > 0 ? { [stagedSelectionsKey]: selected } : {}),
      },
      authorId: ctx.principal.userId,
    },
    dropRevision: replaces && row.draftRevisionId !== row.liveRevisionId ? row.draftRevisionId : null,
  };
}

function applyLive(
  definition: CollectionDefinition,
  row: EntryRow,
  { slug }: EntryUpdate,
  values: EntryValues,
): PartialEntryChange {
  const newSlug = slug === '' ? null : slug;
  if (typeof newSlug === 'string') assertValidSlug(newSlug);
  if (newSlug === null && row.status === 'published') assertSlugIfRoutable(definition, null);
  return {
    columns: newSlug === undefined ? {} : { slug: newSlug },
    values,
    synchronise: changedSharedFields(definition, row, values),
  };
}

function immediateColumns(ctx: Context, row: EntryRow, update: EntryUpdate): EntryChange['columns'] {
  const columns: NonNullable<EntryChange['columns']> = {};
  if (update.authorId !== undefined && can(ctx.principal, 'content:edit_any'))
    columns.authorId = update.authorId;
  if (update.publishedAt !== undefined) columns.publishedAt = update.publishedAt;
  if (update.seo) columns.seo = mergedSeo(row._seo, update.seo);
  return Object.keys(columns).length > 0 ? columns : undefined;
}

/** SEO data changed key by key; what is not sent stays. */
export function mergedSeo(stored: ContentSeo | null, sent: Partial<ContentSeo>): ContentSeo {
  const none: ContentSeo = { title: null, description: null, image: null, canonical: null, noIndex: false };
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  return { ...none, ...stored, ...given };
}

/** A staged slug must be free now; whether it still is will be seen when it is published. */
async function assertSlugAvailable(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
  slug: string,
): Promise<void> {
  const taken = await sql.query(
    `SELECT 1 FROM ${identifier(definition.table)} WHERE slug = $1 AND _locale = $2 AND id <> $3`,
    [slug, row._locale, row.id],
  );
  if (taken.length > 0)
    throw new QuireError('SLUG_CONFLICT', 'slug: already used by another entry of this locale');
}
