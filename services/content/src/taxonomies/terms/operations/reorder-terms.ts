import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { lockTaxonomy, type TaxonomyRow } from '../../definitions/index.js';
import { resolveGroups } from '../terms.repository.js';
import type { TermOrder } from '../terms.schemas.js';

/**
 * Lets the named siblings exchange their positions among themselves; the others stay: [A, B, C] with [C, A] becomes [C,
 * B, A]. The order is that of all locales (spec document 1, Content rule 7). Without `parentId` the siblings are those
 * of the first named term; null means the terms without a parent.
 * @throws QuireError NOT_FOUND (taxonomy, parent), REORDER_MISMATCH (an id outside the siblings, or named twice).
 */
export async function reorderTerms(
  ctx: Context,
  name: string,
  { parentId, ids }: TermOrder,
): Promise<{ reordered: true }> {
  return ctx.db.transaction(async (tx) => {
    const taxonomy = await lockTaxonomy(tx, name, 'FOR UPDATE');
    const known = await resolveGroups(tx, parentId ? [...ids, parentId] : ids);
    const groups = ids.map((id) => known.get(id));
    const parent = parentId ? known.get(parentId) : undefined;
    if (parentId && parent?.taxonomyId !== taxonomy.id) throw notFound('term that parentId names');
    const above = parentId === undefined ? (groups[0]?.parentId ?? null) : (parent?.id ?? null);
    const siblings = await selectSiblings(tx, taxonomy, above);
    const wanted = groups.map((group) => siblings.find(({ id }) => id === group?.id));
    const listed = new Set(wanted);
    if (listed.has(undefined) || listed.size < ids.length) throw mismatch();
    const positions = siblings.filter((sibling) => listed.has(sibling)).map(({ position }) => position);
    await tx.query(
      `UPDATE term_groups g SET sort_order = moved.position
       FROM unnest($1::text[], $2::integer[]) AS moved (id, position) WHERE g.id = moved.id`,
      [wanted.map((sibling) => sibling?.id), positions],
    );
    return { reordered: true };
  });
}

async function selectSiblings(
  tx: Transaction,
  { id }: TaxonomyRow,
  parent: string | null,
): Promise<{ id: string; position: number }[]> {
  return tx.query(
    `SELECT id, sort_order AS position FROM term_groups
     WHERE taxonomy_id = $1 AND parent_id IS NOT DISTINCT FROM $2 ORDER BY sort_order, id`,
    [id, parent],
  );
}

function mismatch(): QuireError {
  return new QuireError('REORDER_MISMATCH', 'ids: must list terms of one parent, each exactly once');
}
