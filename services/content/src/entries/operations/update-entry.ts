import { givenSlugProblem, validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import { identifier, type Sql } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { can, requireOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import { bylineStatements, resolveCredits, type CreditInput } from '../../credits/index.js';
import { stagedSelectionsKey, type CollectionDefinition } from '../../schema/index.js';
import { assignmentStatements, resolveTermsBySlug, type TermsBySlug } from '../../term-assignments/index.js';
import { changeEntry, type Decision, type EntryTarget } from '../change-entry.js';
import { isStaged, requireCurrent, requireSlugWhenRoutable } from '../entries.policy.js';
import { EntryAuthor } from '../entry-author.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import { EntryMedia } from '../entry-media.js';
import {
  editedValues,
  stagedSlug,
  withoutNulls,
  type ContentSeo,
  type EntryRow,
  type EntryValues,
} from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { checkSelections } from '../selections/apply-selections.js';
import { missingTargets } from '../selections/plain-references.js';
import { resolveSelections, type SelectionInput } from '../selections/resolve-selections.js';
import { asStaged, stagedOf, stagesSelections, type Selection } from '../selections/selection.js';
import type { SentText } from '../sent-texts.js';
import type { EntryChange } from '../statements/write-entry.js';
import { changedSharedFields } from '../synchronised-fields.js';

export interface EntryUpdate {
  data?: EntryValues | undefined;
  /** As in EntryInput. */
  sentText?: SentText | undefined;
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
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, CONFLICT (stale `_rev`, unique value),
 * SLUG_CONFLICT, SERVICE_UNAVAILABLE (new media or a new author cannot be asked for).
 */
export async function updateEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  update: EntryUpdate,
): Promise<EntryAnswer> {
  const library = new EntryMedia(ctx, services.media);
  const author = new EntryAuthor(ctx, services.users);
  const { definition, row } = await changeEntry(ctx, services, target, async (definition, row, sql) => {
    requireOnRow(ctx.principal, 'content:edit', row.authorId);
    requireRights(ctx, update);
    requireCurrent(row, update._rev);
    checkSeo(definition, update);
    const values = await checkedValues(sql, definition, update, row, library);
    const chosen = await chosenSelections(sql, definition, row, update.references);
    const isDraft = isStaged(definition, row);
    const change = isDraft
      ? await stage(ctx, sql, definition, row, update, { values, selections: chosen.staged })
      : goLive(definition, row, update, values);
    const live = liveAtOnce(ctx, row, update);
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
      alsoRun: [
        ...(credits ? bylineStatements(definition.slug, row.id, credits) : []),
        ...assignmentStatements({ entryGroup: row._group, collection: definition.slug }, terms),
      ],
      isOfGroup: terms.length > 0 || chosen.live.length > 0,
    } satisfies Decision;
  });
  return entryAnswer(ctx, services, { definition, row });
}

/** The sent selections, apart by where they go. @throws QuireError VALIDATION_ERROR (unknown, or over a limit). */
async function chosenSelections(
  sql: Sql,
  definition: CollectionDefinition,
  row: EntryRow,
  input: SelectionInput | undefined,
): Promise<{ staged: Selection[]; live: Selection[] }> {
  const selections = await resolveSelections(sql, definition, input ?? {});
  if (selections.length === 0 || !(await stagesSelections(sql, definition, row)))
    return { staged: [], live: selections };
  await checkSelections(sql, row._group, selections);
  return { staged: selections, live: [] };
}

function requireRights(ctx: Context, { publishedAt }: EntryUpdate): void {
  if (publishedAt !== undefined && !can(ctx.principal, 'content:publish_any')) {
    throw new QuireError('FORBIDDEN', 'Your role does not allow setting publishedAt (content:publish_any)');
  }
}

/**
 * The sent values, normalised, with what the media library says of the items in them.
 * @throws QuireError VALIDATION_ERROR naming every offending field, SERVICE_UNAVAILABLE.
 */
async function checkedValues(
  sql: Sql,
  definition: CollectionDefinition,
  { data, sentText }: Pick<EntryUpdate, 'data' | 'sentText'>,
  row: EntryRow,
  library: EntryMedia,
): Promise<EntryValues> {
  if (data === undefined) return {};
  const stored = editedValues(definition, row);
  const { values, issues, media, references } = validateValues(definition.compiled, data, 'update', {
    stored,
    sentText,
  });
  issues.push(...(await missingTargets(sql, references, stored)));
  if (issues.length > 0) throw invalidInput(issues);
  await library.complete(media, definition, stored);
  return values;
}

export function checkSeo(definition: CollectionDefinition, { seo }: Pick<EntryUpdate, 'seo'>): void {
  if (seo !== undefined && !definition.hasSeo) {
    throw invalidInput([{ path: 'seo', message: 'this collection has no SEO data' }]);
  }
}

/** @throws QuireError VALIDATION_ERROR for a slug that no entry may have. */
export function requireUsableSlug(slug: string): void {
  const problem = givenSlugProblem(slug);
  if (problem !== null) throw invalidInput([{ path: 'slug', message: problem }]);
}

type PartOfChange = Pick<EntryChange, 'columns' | 'values' | 'revision' | 'dropRevision' | 'synchronise'>;

async function stage(
  ctx: Context,
  sql: Sql,
  definition: CollectionDefinition,
  row: EntryRow,
  update: EntryUpdate,
  { values, selections }: { values: EntryValues; selections: readonly Selection[] },
): Promise<PartOfChange> {
  const slug = update.slug ?? undefined;
  if (update.data === undefined && slug === undefined && selections.length === 0) return {};
  if (slug !== undefined) {
    requireUsableSlug(slug);
    await requireFreeSlug(sql, definition, row, slug);
  }
  const id = ulid();
  const kept = withoutNulls({ ...editedValues(definition, row), ...values });
  const waiting = slug ?? stagedSlug(row);
  const selected = { ...stagedOf(row), ...asStaged(selections) };
  const replaces = update.skipRevision || !definition.supports.has('revisions');
  return {
    columns: { draftRevisionId: id },
    revision: {
      id,
      data: {
        ...kept,
        ...(waiting === undefined ? {} : { _slug: waiting }),
        ...(Object.keys(selected).length > 0 ? { [stagedSelectionsKey]: selected } : {}),
      },
      authorId: ctx.principal.userId,
    },
    dropRevision: replaces && row.draftRevisionId !== row.liveRevisionId ? row.draftRevisionId : null,
  };
}

function goLive(
  definition: CollectionDefinition,
  row: EntryRow,
  { slug }: EntryUpdate,
  values: EntryValues,
): PartOfChange {
  const newSlug = slug === '' ? null : slug;
  if (typeof newSlug === 'string') requireUsableSlug(newSlug);
  if (newSlug === null && row.status === 'published') requireSlugWhenRoutable(definition, null);
  return {
    columns: newSlug === undefined ? {} : { slug: newSlug },
    values,
    synchronise: changedSharedFields(definition, row, values),
  };
}

function liveAtOnce(ctx: Context, row: EntryRow, update: EntryUpdate): EntryChange['columns'] {
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
async function requireFreeSlug(
  sql: Sql,
  definition: CollectionDefinition,
  row: EntryRow,
  slug: string,
): Promise<void> {
  const taken = await sql.query(
    `SELECT 1 FROM ${identifier(definition.table)} WHERE slug = $1 AND _locale = $2 AND id <> $3`,
    [slug, row._locale, row.id],
  );
  if (taken.length > 0) throw new QuireError('SLUG_CONFLICT', 'slug: another entry of this locale has it');
}
