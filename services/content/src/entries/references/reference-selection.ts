import { identifier, type Queryable } from '@quire/database';
import {
  otherSide,
  stagedSelectionsKey,
  type RelationReference,
  type CollectionDefinition,
} from '../../schema/index.js';
import type { EntryRow } from '../entry-row.js';

/** What an entry selects through one reference field: translation groups of the target, in display order. */
export interface ReferenceSelection {
  reference: RelationReference;
  groups: readonly string[];
}

/** Selections by field slug, as a revision holds them. */
export type StagedSelections = Record<string, readonly string[]>;

/** What waits in the entry's draft, of fields that still exist. */
export function stagedSelections({ references }: CollectionDefinition, row: EntryRow): ReferenceSelection[] {
  const staged = stagedOf(row);
  return references.flatMap((reference) => {
    const groups = staged[reference.field];
    return groups === undefined ? [] : [{ reference, groups }];
  });
}

export function stagedOf({ _draft: draft }: EntryRow): StagedSelections {
  return (draft?.[stagedSelectionsKey] ?? {}) as StagedSelections;
}

/**
 * Whether a change of selections waits in the draft instead of going live: on a collection that keeps revisions, while
 * the entry or a translation that shares them is published (spec document 1, Content entry), or while others wait
 * already and would hide it. Whoever writes live because of the answer holds the group.
 */
export async function stagesSelections(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
): Promise<boolean> {
  if (!definition.supports.has('revisions')) return false;
  if (row.status === 'published' || Object.keys(stagedOf(row)).length > 0) return true;
  return isGroupPublished(sql, definition, row._group);
}

/** Whether readers see a translation of the group. */
export async function isGroupPublished(
  sql: Queryable,
  { table }: CollectionDefinition,
  group: string,
): Promise<boolean> {
  const published = await sql.query(
    `SELECT 1 FROM ${identifier(table)}
     WHERE _translation_group = $1 AND status = 'published' AND deleted_at IS NULL LIMIT 1`,
    [group],
  );
  return published.length > 0;
}

/** The same as a revision holds it. */
export function asStaged(selections: readonly ReferenceSelection[]): StagedSelections {
  return Object.fromEntries(selections.map(({ reference, groups }) => [reference.field, groups]));
}

/** The groups that a group selects live, in order. */
export async function liveGroups(
  sql: Queryable,
  { relationId, side }: RelationReference,
  group: string,
): Promise<string[]> {
  const other = `${otherSide(side)}_group`;
  const rows = await sql.query<{ group: string }>(
    `SELECT ${other} AS "group" FROM reference_links WHERE relation_id = $1 AND ${side}_group = $2
     ORDER BY sort_order, ${other}`,
    [relationId, group],
  );
  return rows.map((row) => row.group);
}
