import type { Queryable } from '@quire/database';
import { invalidInput, type Issue } from '@quire/errors';
import type { CollectionDefinition, RelationReference } from '../../schema/index.js';
import type { EntryRow } from '../entry-row.js';
import { stagedOf, type ReferenceSelection } from './reference-selection.js';
import { hasLiveSelection, selectGroups } from './references.repository.js';

/** Entry ids by field slug in requests. */
export type SelectionInput = Readonly<Record<string, readonly string[]>>;

/**
 * @returns the selections of the given ids: translation groups of entries in the target collection, without the trash.
 * @throws QuireError VALIDATION_ERROR naming each field that views no relation, and each unknown or repeated id.
 */
export async function resolveSelections(
  sql: Queryable,
  { references, slug }: CollectionDefinition,
  input: SelectionInput,
): Promise<ReferenceSelection[]> {
  const issues: Issue[] = [];
  const selections: ReferenceSelection[] = [];
  for (const [field, ids] of Object.entries(input)) {
    const path = `references.${field}`;
    const reference = references.find((known) => known.field === field);
    if (!reference) {
      issues.push({ path, message: `is not a relation field of '${slug}'` });
      continue;
    }
    const groups = await selectGroups(sql, reference, ids);
    issues.push(
      ...unknownIds(ids, groups, reference, path),
      ...selectionIssues(ids, groups, reference, path),
    );
    selections.push({ reference, groups: ids.flatMap((id) => groups.get(id) ?? []) });
  }
  if (issues.length > 0) throw invalidInput(issues);
  return selections;
}

function unknownIds(
  ids: readonly string[],
  groups: ReadonlyMap<string, string>,
  { target }: RelationReference,
  path: string,
): Issue[] {
  return ids.flatMap((id, index) => {
    if (groups.has(id)) return [];
    return [{ path: `${path}.${index}`, code: 'target', message: `entry '${id}' not found in '${target}'` }];
  });
}

/**
 * @param groups of the ids, see `selectGroups`
 * @param path of the ids in the request
 * @returns the issues of a selection, without unknown ids: an entry is selected twice (decision 6), or none where one
 *   is required.
 */
export function selectionIssues(
  ids: readonly string[],
  groups: ReadonlyMap<string, string>,
  { isRequired }: RelationReference,
  path: string,
): Issue[] {
  if (isRequired && ids.length === 0) return [{ path, message: 'is required' }];
  const seen = new Set<string>();
  return ids.flatMap((id, index) => {
    const group = groups.get(id);
    if (group === undefined) return [];
    if (seen.has(group)) return [{ path: `${path}.${index}`, message: 'is selected twice' }];
    seen.add(group);
    return [];
  });
}

/**
 * Asserts that required reference fields select an entry: in a new entry, and in one that goes live.
 * @param group whose live selection counts for fields that are absent from `chosen`
 * @param chosen given or staged selections by field slug
 * @throws QuireError VALIDATION_ERROR.
 */
export async function assertRequiredReferences(
  sql: Queryable,
  { references }: CollectionDefinition,
  group: string,
  chosen: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const issues: Issue[] = [];
  for (const reference of references) {
    const { field, isRequired } = reference;
    if (!isRequired || (chosen[field]?.length ?? 0) > 0) continue;
    const isSelected = !chosen[field] && (await hasLiveSelection(sql, reference, group));
    if (!isSelected) issues.push({ path: `references.${field}`, message: 'is required' });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** As `assertRequiredReferences`, for an entry that goes live with its staged selections. */
export function assertRequiredReferencesForPublish(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
): Promise<void> {
  return assertRequiredReferences(sql, definition, row._group, stagedOf(row));
}
