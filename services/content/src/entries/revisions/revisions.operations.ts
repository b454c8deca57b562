import { isReadAsText, validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import { ulid } from '@quire/values';
import { stagedSelectionsKey, type CollectionDefinition } from '../../schema/index.js';
import {
  changedSharedFields,
  editedValues,
  isStaged,
  loadEntry,
  missingTargets,
  saveEntry,
  toEntryResponse,
  withAllFields,
  withDefinition,
  withoutNulls,
  type CurrentEntry,
  type EntryChangePlan,
  type EntryDeps,
  type EntryResponse,
  type EntryTarget,
  type EntryValues,
} from '../index.js';
import { selectRevision, selectRevisions, type RevisionResponse } from './revisions.repository.js';

/**
 * @param input.limit of the revisions that are returned
 * @returns the revisions of an entry, newest first, and how many it has (contract 9).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND.
 */
export async function listRevisions(
  ctx: Context,
  deps: EntryDeps,
  { limit, ...target }: EntryTarget & { limit: number },
): Promise<{ items: RevisionResponse[]; total: number }> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const { id } = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, { rows: 'not-trashed' });
    return selectRevisions(ctx.db, id, limit);
  });
}

/** @returns one revision (contract 9). @throws QuireError NOT_FOUND. */
export async function getRevision(ctx: Context, id: string): Promise<RevisionResponse> {
  const revision = await selectRevision(ctx.db, id);
  if (!revision) throw notFound('revision', id);
  return revision;
}

/**
 * Restores the values of a revision: as a new draft where the collection stages changes, else live. Later revisions
 * stay. Values of deleted fields are ignored (contract 9).
 * @throws QuireError NOT_FOUND (revision or entry, a trashed one too), FORBIDDEN, ENTRY_LOCKED, VALIDATION_ERROR
 *   (values that the fields no longer accept), INVALID_REVISION (nothing in it fits the collection).
 */
export async function restoreRevision(
  ctx: Context,
  deps: EntryDeps,
  { revisionId, overrideLock }: { revisionId: string; overrideLock?: boolean | undefined },
): Promise<EntryResponse> {
  const revision = await getRevision(ctx, revisionId);
  const target = { collection: revision.collection, id: revision.entryId, overrideLock };
  const saved = await saveEntry(ctx, deps, target, (entry) => {
    assertOnRow(ctx.principal, 'content:edit', entry.row.authorId);
    return planRestore(entry, revision, ctx.principal.userId);
  });
  return toEntryResponse(ctx, deps, saved);
}

async function planRestore(
  { definition, row, sql }: CurrentEntry,
  revision: RevisionResponse,
  actorId: string | null,
): Promise<EntryChangePlan> {
  const { values, issues, references } = validateValues(
    definition.compiled,
    storedValues(definition, revision),
    'publish',
  );
  issues.push(...(await missingTargets(sql, references, editedValues(definition, row))));
  if (issues.length > 0) throw invalidInput(issues);
  assertFitsCollection(definition, revision);
  if (isStaged(definition, row)) {
    const id = ulid();
    return {
      columns: { draftRevisionId: id },
      revision: { id, data: toDraftData(definition, values, revision), authorId: actorId },
      dropRevision: definition.supports.has('revisions') ? null : row.draftRevisionId,
      touches: { updatedAt: false, version: true },
    };
  }
  const allValues = withAllFields(definition, values);
  return {
    values: allValues,
    touches: { updatedAt: true, version: true },
    synchronise: changedSharedFields(definition, row, allValues),
  };
}

/** @throws QuireError INVALID_REVISION when a revision has values, but none of a present field. */
function assertFitsCollection({ columns }: CollectionDefinition, { data }: RevisionResponse): void {
  const fitsNoField = columns.length > 0 && !columns.some(({ slug }) => Object.hasOwn(data, slug));
  if (fitsNoField && Object.keys(data).length > 0) {
    const message = 'Nothing in this revision fits the fields that the collection has now';
    throw new QuireError('INVALID_REVISION', message);
  }
}

/** @returns the revision's values of fields that still exist. */
function storedValues({ columns }: CollectionDefinition, { data }: RevisionResponse): EntryValues {
  const entries = columns.flatMap((field) => {
    const text = Object.hasOwn(data, field.slug) ? data[field.slug] : undefined;
    if (text === undefined) return [];
    const value = text.parse();
    return [[field.slug, isReadAsText(field) && value !== null ? text : value] as const];
  });
  return Object.fromEntries(entries);
}

/** @returns the data of a new draft: values, the revision's staged slug, and its selections of present fields. */
function toDraftData(
  { fieldBySlug }: CollectionDefinition,
  values: EntryValues,
  { data, references }: RevisionResponse,
): EntryValues {
  const staged = Object.entries(references ?? {}).filter(([slug]) => fieldBySlug.has(slug));
  return {
    ...withoutNulls(values),
    ...(data['_slug'] ? { _slug: data['_slug'].parse() } : {}),
    ...(references ? { [stagedSelectionsKey]: Object.fromEntries(staged) } : {}),
  };
}
