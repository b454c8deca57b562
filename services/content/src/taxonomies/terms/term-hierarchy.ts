import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { TaxonomyRow } from '../definitions/index.js';
import { resolveGroups } from './terms.repository.js';

/** Where a term stands below others. All of it with the taxonomy held, so that nothing moves meanwhile. */

const maxAncestors = 100;

const parentError = (message: string) => invalidInput([{ path: 'parentId', message }]);

/**
 * The group that becomes a term's parent; null for none ("" and null).
 * @throws QuireError VALIDATION_ERROR: a flat taxonomy, an unknown term, a term of another taxonomy.
 */
export async function resolveParent(
  tx: Queryable,
  taxonomy: TaxonomyRow,
  parentId: string | null,
): Promise<string | null> {
  if (parentId === null || parentId === '') return null;
  if (!taxonomy.hierarchical) throw parentError('this taxonomy is not hierarchical');
  const parent = (await resolveGroups(tx, [parentId])).get(parentId);
  if (!parent) throw parentError(`term '${parentId}' not found`);
  if (parent.taxonomyId !== taxonomy.id) throw parentError(`is a term of '${parent.taxonomyName}'`);
  return parent.id;
}

/**
 * Checks that a group (a new one: none) may stand below a parent.
 * @throws QuireError VALIDATION_ERROR: a cycle, or more than 100 ancestors for it or for what stands below it.
 */
export async function assertValidParent(
  tx: Queryable,
  group: string | null,
  parent: string | null,
): Promise<void> {
  if (parent === null) return;
  const ancestors = await ancestorsFrom(tx, parent);
  if (group !== null && ancestors.includes(group)) {
    throw parentError(parent === group ? 'is the term itself' : 'is a descendant of the term');
  }
  const below = group === null ? 0 : await levelsBelow(tx, group);
  if (ancestors.length + below > maxAncestors) {
    throw parentError(`the maximum depth is ${maxAncestors} ancestors`);
  }
}

/** The position behind all siblings. */
export async function nextSortOrder(
  tx: Queryable,
  { id }: TaxonomyRow,
  parent: string | null,
): Promise<number> {
  const [row] = await tx.query<{ position: number }>(
    `SELECT coalesce(max(sort_order) + 1, 0) AS position FROM term_groups
     WHERE taxonomy_id = $1 AND parent_id IS NOT DISTINCT FROM $2`,
    [id, parent],
  );
  return row?.position ?? 0;
}

async function ancestorsFrom(tx: Queryable, parent: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH RECURSIVE up AS (
       SELECT id, parent_id FROM term_groups WHERE id = $1
       UNION ALL SELECT g.id, g.parent_id FROM term_groups g JOIN up ON g.id = up.parent_id
     ) SELECT id FROM up`,
    [parent],
  );
  return rows.map(({ id }) => id);
}

async function levelsBelow(tx: Queryable, group: string): Promise<number> {
  const [row] = await tx.query<{ levels: number }>(
    `WITH RECURSIVE down AS (
       SELECT id, 0 AS level FROM term_groups WHERE id = $1
       UNION ALL SELECT g.id, down.level + 1 FROM term_groups g JOIN down ON g.parent_id = down.id
     ) SELECT max(level) AS levels FROM down`,
    [group],
  );
  return row?.levels ?? 0;
}
