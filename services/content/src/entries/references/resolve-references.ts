import { identifier, type Queryable } from '@quire/database';
import { invalidInput, type Issue } from '@quire/errors';
import { contentTableName, type RelationReference, type CollectionDefinition } from '../../schema/index.js';
import type { EntryRow } from '../entry-row.js';
import { stagedOf, type ReferenceSelection } from './reference-selection.js';

/** Entry ids by field slug, as clients send them. */
export type SelectionInput = Readonly<Record<string, readonly string[]>>;

/**
 * What the sent ids select: the translation groups of entries that exist in the target collection, trashed ones aside.
 * @throws QuireError VALIDATION_ERROR naming each field that views no relation, and each id that is unknown or doubled.
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
    const groups = await groupsOf(sql, reference, ids);
    issues.push(
      ...unknownIds(ids, groups, reference, path),
      ...selectionIssues(ids, groups, reference, path),
    );
    selections.push({ reference, groups: ids.flatMap((id) => groups.get(id) ?? []) });
  }
  if (issues.length > 0) throw invalidInput(issues);
  return selections;
}

/** The translation group of each entry id that the target collection has. */
export async function groupsOf(
  sql: Queryable,
  { target }: RelationReference,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<{ id: string; group: string }>(
    `SELECT id, _translation_group AS "group" FROM ${identifier(contentTableName(target))}
     WHERE id = ANY($1) AND deleted_at IS NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, group }) => [id, group]));
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
 * What is wrong with a choice of entries, known or not: one is chosen twice (decision 6), or none where one is
 * required.
 * @param groups of the ids, see `groupsOf`
 * @param path where the ids were sent
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
 * Required reference fields must select something before an entry goes live, and in a new entry.
 * @param group the translation group whose live selection counts where nothing is sent or staged
 * @throws QuireError VALIDATION_ERROR
 */
export async function assertRequiredReferences(
  sql: Queryable,
  { references }: CollectionDefinition,
  group: string,
  chosen: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const issues: Issue[] = [];
  for (const { field, isRequired, relationId, side } of references) {
    if (!isRequired || (chosen[field]?.length ?? 0) > 0) continue;
    const live = chosen[field]
      ? []
      : await sql.query(
          `SELECT 1 FROM reference_links WHERE relation_id = $1 AND ${side}_group = $2 LIMIT 1`,
          [relationId, group],
        );
    if (live.length === 0) issues.push({ path: `references.${field}`, message: 'is required' });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** As `assertRequiredReferences`, for an entry that is about to go live with what waits in its draft. */
export function assertRequiredReferencesForPublish(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
): Promise<void> {
  return assertRequiredReferences(sql, definition, row._group, stagedOf(row));
}
