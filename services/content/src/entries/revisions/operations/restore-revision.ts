import { isReadAsText, validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import {
  changedSharedFields,
  saveEntry,
  editedValues,
  toEntryResponse,
  isStaged,
  missingTargets,
  type EntryResponse,
  type EntryDeps,
  type EntryValues,
} from '../../index.js';
import { stagedSelectionsKey, type CollectionDefinition } from '../../../schema/index.js';
import type { Revision } from '../revisions.repository.js';
import { getRevision } from './get-revision.js';

/**
 * Takes the values of an old revision up again: as a new draft where the collection stages changes, else live. History
 * is not cut. Values of fields that are gone are left out.
 * @throws QuireError NOT_FOUND (revision or entry, a trashed one too), FORBIDDEN, ENTRY_LOCKED, VALIDATION_ERROR
 * (values that the fields no longer take), INVALID_REVISION (nothing in it fits the collection).
 */
export async function restoreRevision(
  ctx: Context,
  deps: EntryDeps,
  revisionId: string,
  { overrideLock }: { overrideLock?: boolean | undefined },
): Promise<EntryResponse> {
  const revision = await getRevision(ctx, revisionId);
  const target = { collection: revision.collection, id: revision.entryId, overrideLock };
  const { definition, row } = await saveEntry(ctx, deps, target, async (definition, row, sql) => {
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    const { values, issues, references } = validateValues(
      definition.compiled,
      storedValues(definition, revision),
      'publish',
    );
    issues.push(...(await missingTargets(sql, references, editedValues(definition, row))));
    if (issues.length > 0) throw invalidInput(issues);
    const isEmpty =
      definition.columns.length > 0 &&
      !definition.columns.some(({ slug }) => Object.hasOwn(revision.data, slug));
    if (isEmpty && Object.keys(revision.data).length > 0) {
      throw new QuireError(
        'INVALID_REVISION',
        'Nothing in this revision fits the fields that the collection has now',
      );
    }
    if (isStaged(definition, row)) {
      const id = ulid();
      const dropRevision = definition.supports.has('revisions') ? null : row.draftRevisionId;
      return {
        columns: { draftRevisionId: id },
        revision: { id, data: asDraft(values, revision), authorId: ctx.principal.userId },
        dropRevision,
        touches: { updatedAt: false, version: true },
      };
    }
    const all = Object.fromEntries(definition.columns.map(({ slug }) => [slug, values[slug] ?? null]));
    return {
      values: all,
      touches: { updatedAt: true, version: true },
      synchronise: changedSharedFields(definition, row, all),
    };
  });
  return toEntryResponse(ctx, deps, { definition, row });
}

/** The values of fields that the collection still has, as an entry holds them. */
function storedValues({ columns }: CollectionDefinition, { data }: Revision): EntryValues {
  const retained = columns.flatMap((field) => {
    const text = Object.hasOwn(data, field.slug) ? data[field.slug] : undefined;
    if (text === undefined) return [];
    const value = text.parse();
    return [[field.slug, isReadAsText(field) && value !== null ? text : value] as const];
  });
  return Object.fromEntries(retained);
}

/** The values with what else the revision had staged: a slug, selections. */
function asDraft(values: EntryValues, { data, references }: Revision): EntryValues {
  const retained = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return {
    ...retained,
    ...(data['_slug'] ? { _slug: data['_slug'].parse() } : {}),
    ...(references ? { [stagedSelectionsKey]: references } : {}),
  };
}
