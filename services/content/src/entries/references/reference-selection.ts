import { identifier, type Queryable } from '@quire/database';
import {
  otherSide,
  stagedSelectionsKey,
  type RelationReference,
  type CollectionDefinition,
} from '../../schema/index.js';
import type { EntryRow } from '../entry-row.js';

/** The selection of one reference field: translation groups of the target, in display order. */
export interface ReferenceSelection {
  reference: RelationReference;
  groups: readonly string[];
}

/** Selections by field slug, as revisions store them. */
export type StagedSelections = Record<string, readonly string[]>;

/** @returns the staged selections of fields that still exist. */
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
 * Whether a change of selections is staged instead of going live: in a collection with revisions, while the entry or a
 * translation that shares them is published (spec document 1, Content entry), or while the draft has selections, which
 * would hide it. A caller that writes live must have locked the group.
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

/** Whether readers see an entry of the group. */
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

/** @returns selections as revisions store them. */
export function asStaged(selections: readonly ReferenceSelection[]): StagedSelections {
  return Object.fromEntries(selections.map(({ reference, groups }) => [reference.field, groups]));
}

/** @returns the live selection of a group, in order. */
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
