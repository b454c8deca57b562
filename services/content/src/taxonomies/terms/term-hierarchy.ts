import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { TaxonomyRow } from '../definitions/index.js';
import { resolveGroups, selectAncestors, selectDepth } from './terms.repository.js';

const maxAncestors = 100;

const parentError = (message: string) => invalidInput([{ path: 'parentId', message }]);

/**
 * The group of a term's parent; null for none ("" and null). The caller locks the taxonomy.
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
 * Asserts that a group (null: a new one) may be below a parent. The caller locks the taxonomy.
 * @throws QuireError VALIDATION_ERROR: a cycle, or more than 100 ancestors for it or its descendants.
 */
export async function assertValidParent(
  tx: Queryable,
  group: string | null,
  parent: string | null,
): Promise<void> {
  if (parent === null) return;
  const ancestors = await selectAncestors(tx, parent);
  if (group !== null && ancestors.includes(group)) {
    throw parentError(parent === group ? 'is the term itself' : 'is a descendant of the term');
  }
  const below = group === null ? 0 : await selectDepth(tx, group);
  if (ancestors.length + below > maxAncestors) {
    throw parentError(`the maximum depth is ${maxAncestors} ancestors`);
  }
}
