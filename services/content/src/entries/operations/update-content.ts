import { validateValues, type InputOptions } from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { assertOnRow, can } from '@quire/permissions';
import { ulid } from '@quire/values';
import { bylineStatements, resolveCredits, type CreditInput } from '../../bylines/credits/index.js';
import { stagedSelectionsKey } from '../../schema/index.js';
import {
  assignmentStatements,
  resolveTermsBySlug,
  type TermsBySlug,
} from '../../taxonomies/assignments/index.js';
import { AuthorValidator } from '../author-validator.js';
import {
  assertMaySetPublishedAt,
  assertRevisionMatches,
  assertSeoSupported,
  assertSlugIfRoutable,
  assertValidSlug,
  isStaged,
} from '../entries.policy.js';
import type { SubmittedText } from '../entries.schemas.js';
import type { EntryDeps } from '../entry-deps.js';
import { slugConflict } from '../entry-errors.js';
import {
  editedValues,
  mergedSeo,
  stagedSlug,
  withoutNulls,
  type ContentSeo,
  type EntryRow,
  type EntryValues,
} from '../entry-row.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import type { EntryTarget } from '../load-entry.js';
import { importErrorDeletion } from '../import-errors/index.js';
import { MediaResolver } from '../media-resolver.js';
import { assertSelectionsWithinLimits } from '../references/apply-references.js';
import { missingTargets } from '../references/plain-references.js';
import {
  asStaged,
  stagedSelections,
  stagesSelections,
  type ReferenceSelection,
} from '../references/reference-selection.js';
import { resolveSelections, type SelectionInput } from '../references/resolve-references.js';
import { isSlugTaken } from '../repository/find-entry.js';
import { saveEntry } from '../repository/save-entry.js';
import type { CurrentEntry, EntryChangePlan } from '../repository/write-change.js';
import type { EntryChange } from '../repository/write-entry.js';
import { changedSharedFields } from '../shared-fields.js';
import { planPublish } from './publish-content.js';
import { planUnpublish } from './unpublish-content.js';

export interface EntryUpdate extends EntryTarget {
  data?: EntryValues | undefined;
  /** As in EntryInput. */
  submittedText?: SubmittedText | undefined;
  /** As in EntryInput. */
  accepts?: InputOptions | undefined;
  slug?: string | null | undefined;
  authorId?: string | null | undefined;
  bylines?: readonly CreditInput[] | undefined;
  /** Entry ids by field slug; absent fields keep their selection. */
  references?: SelectionInput | undefined;
  seo?: Partial<ContentSeo> | undefined;
  /** All terms of the entry in each taxonomy that is given. */
  taxonomies?: TermsBySlug | undefined;
  publishedAt?: string | null | undefined;
  _rev?: string | undefined;
  /** Replaces the former draft instead of adding a revision: autosave. */
  skipRevision?: boolean | undefined;
  /** Publishes or unpublishes the entry after the update, in the same transaction. */
  transition?: 'publish' | 'unpublish' | undefined;
}

/** Data of other services, requested at most once for all attempts at an update. */
interface Lookups {
  media: MediaResolver;
  author: AuthorValidator;
}

/**
 * Updates the given properties of an entry. Values and slug are staged in a draft where the collection stages changes;
 * SEO data, bylines, terms, author and publication date are live at once (spec document 1, rules 1 and 2; contract 7).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED, VALIDATION_ERROR, CONFLICT (stale
 *   `_rev`, unique value), SLUG_CONFLICT, SERVICE_UNAVAILABLE (new media items or a new author cannot be looked up).
 */
export async function updateContent(
  ctx: Context,
  deps: EntryDeps,
  update: EntryUpdate,
): Promise<EntryResponse> {
  const lookups = {
    media: new MediaResolver(ctx, deps.media),
    author: new AuthorValidator(ctx, deps.users),
  };
  const authorise = ({ authorId }: EntryRow) => {
    assertMayUpdate(ctx, authorId, update);
  };
  const saved = await saveEntry(ctx, deps, { ...update, authorise }, async (entry) => {
    assertRevisionMatches(entry.row, update._rev);
    assertSeoSupported(entry.definition, update.seo);
    const plan = await planUpdate(ctx, entry, update, lookups);
    return { ...plan, ...planTransition(ctx, update) };
  });
  return toEntryResponse(ctx, deps, saved);
}

/** @throws QuireError FORBIDDEN. */
function assertMayUpdate(
  { principal }: Context,
  authorId: string | null,
  { publishedAt, transition }: EntryUpdate,
): void {
  assertOnRow(principal, 'content:edit', authorId);
  if (transition) assertOnRow(principal, 'content:publish', authorId);
  assertMaySetPublishedAt(principal, publishedAt);
}

/** The publication that follows an update changes all translations: shared values and selections become live. */
function planTransition(
  { principal: { userId: actorId } }: Context,
  { transition }: EntryUpdate,
): Pick<EntryChangePlan, 'followUp' | 'isOfGroup'> {
  if (transition === undefined) return {};
  if (transition === 'unpublish')
    return { followUp: ({ definition, row }) => planUnpublish(definition, row, actorId) };
  return { isOfGroup: true, followUp: (entry) => planPublish(entry, { actorId }) };
}

async function planUpdate(
  ctx: Context,
  entry: CurrentEntry,
  update: EntryUpdate,
  { media, author }: Lookups,
): Promise<EntryChangePlan> {
  const { definition, row, sql, isLocked } = entry;
  const values = await validateUpdatedValues(entry, update, media);
  const selections = await resolveChosenReferences(entry, update.references);
  const isDraft = isStaged(definition, row);
  const change = isDraft
    ? await planDraft(ctx, entry, update, { values, selections: selections.staged })
    : planLive(entry, update, values);
  const immediate = immediateColumns(ctx, row, update);
  await author.check(immediate?.authorId ?? null, row, { isLocked });
  const credits = update.bylines && (await resolveCredits(sql, update.bylines));
  const place = { collection: definition.slug, locale: row._locale };
  const terms = await resolveTermsBySlug(sql, place, update.taxonomies ?? {});
  const changesLive =
    immediate !== undefined || credits !== undefined || terms.length > 0 || selections.live.length > 0;
  return {
    ...change,
    touches: { updatedAt: !isDraft || changesLive, version: true },
    selections: selections.live,
    columns: {
      ...change.columns,
      ...immediate,
      ...(credits && { primaryBylineId: credits[0]?.group ?? null }),
    },
    extraStatements: [
      ...(credits ? bylineStatements(definition.slug, row.id, credits) : []),
      ...assignmentStatements({ entryGroup: row._group, collection: definition.slug }, terms),
      ...(row._hasImportError && resolvesImportError(update) ? [importErrorDeletion([row.id])] : []),
    ],
    isOfGroup: terms.length > 0 || selections.live.length > 0,
  };
}

/** A save of the body, or an explicit null, completes an entry that an import could not save. */
function resolvesImportError({ data = {} }: Pick<EntryUpdate, 'data'>): boolean {
  return Object.hasOwn(data, 'content') || data['_importError'] === null;
}

/**
 * @returns the given selections by their destination. @throws QuireError VALIDATION_ERROR (unknown, or over a limit).
 */
async function resolveChosenReferences(
  { definition, row, sql }: CurrentEntry,
  input: SelectionInput | undefined,
): Promise<{ staged: ReferenceSelection[]; live: ReferenceSelection[] }> {
  const selections = await resolveSelections(sql, definition, input ?? {});
  if (selections.length === 0 || !(await stagesSelections(sql, definition, row)))
    return { staged: [], live: selections };
  await assertSelectionsWithinLimits(sql, row._group, selections);
  return { staged: selections, live: [] };
}

/**
 * @returns the given values, normalised, with the metadata of their media items.
 * @throws QuireError VALIDATION_ERROR naming every offending field, SERVICE_UNAVAILABLE.
 */
async function validateUpdatedValues(
  { definition, row, sql, isLocked }: CurrentEntry,
  { data, submittedText, accepts }: Pick<EntryUpdate, 'data' | 'submittedText' | 'accepts'>,
  mediaResolver: MediaResolver,
): Promise<EntryValues> {
  if (data === undefined) return {};
  const stored = editedValues(definition, row);
  const { values, issues, media, references } = validateValues(definition.compiled, data, 'update', {
    stored,
    submittedText,
    ...accepts,
  });
  issues.push(...(await missingTargets(sql, references, stored)));
  if (issues.length > 0) throw invalidInput(issues);
  await mediaResolver.complete(media, definition, { stored, isLocked });
  return values;
}

type PartialEntryChange = Pick<
  EntryChange,
  'columns' | 'values' | 'revision' | 'dropRevision' | 'synchronise'
>;

async function planDraft(
  ctx: Context,
  { definition, row, sql }: CurrentEntry,
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
  const newSlug = slug ?? stagedSlug(row);
  const staged = { ...asStaged(stagedSelections(definition, row)), ...asStaged(selections) };
  const replacesDraft = update.skipRevision || !definition.supports.has('revisions');
  return {
    columns: { draftRevisionId: id },
    revision: {
      id,
      data: {
        ...draftData,
        ...(newSlug === undefined ? {} : { _slug: newSlug }),
        ...(Object.keys(staged).length > 0 ? { [stagedSelectionsKey]: staged } : {}),
      },
      authorId: ctx.principal.userId,
    },
    dropRevision: replacesDraft && row.draftRevisionId !== row.liveRevisionId ? row.draftRevisionId : null,
  };
}

function planLive(
  { definition, row }: CurrentEntry,
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

/**
 * Asserts that a staged slug is free now; the publication checks it again.
 * @throws QuireError SLUG_CONFLICT.
 */
async function assertSlugAvailable(...request: Parameters<typeof isSlugTaken>): Promise<void> {
  if (await isSlugTaken(...request)) throw slugConflict(request[3]);
}
