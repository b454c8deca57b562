import type { Queryable } from '@quire/database';
import {
  stagedSelectionsKey,
  type RelationReference,
  type CollectionDefinition,
} from '../../schema/index.js';
import type { EntryRow } from '../entry-row.js';
import { isGroupPublished } from './references.repository.js';

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

/** The staged selections, those of deleted fields included. */
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
  if (row.status === 'published' || stagedSelections(definition, row).length > 0) return true;
  return isGroupPublished(sql, definition, row._group);
}

/** @returns selections as revisions store them. */
export function asStaged(selections: readonly ReferenceSelection[]): StagedSelections {
  return Object.fromEntries(selections.map(({ reference, groups }) => [reference.field, groups]));
}
