import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { SchemaChanges } from '../../schema-change.js';
import { toRelationResponse, type RelationResponse } from '../relation.mapper.js';
import { getRelationOrThrow, type Relation } from '../relation.js';
import type { RelationUpdate } from '../relations.schemas.js';

/**
 * Changes what is sent of a relation's labels and limits.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (a limit below what is stored).
 */
export async function updateRelation(
  ctx: Context,
  changes: SchemaChanges,
  id: string,
  update: RelationUpdate,
): Promise<RelationResponse> {
  return changes.run(ctx, async (tx) => {
    const before = await getRelationOrThrow(tx, id, { withRowLock: true });
    const sent = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
    const after: Relation = { ...before, ...sent };
    await assertLimitNotExceeded(tx, after, 'maxChildrenPerParent', 'parent_group');
    await assertLimitNotExceeded(tx, after, 'maxParentsPerChild', 'child_group');
    await tx.query(
      `UPDATE relations SET parent_label = $2, parent_label_singular = $3, child_label = $4, child_label_singular = $5,
         max_children_per_parent = $6, max_parents_per_child = $7 WHERE id = $1`,
      [
        after.id,
        after.parentLabel,
        after.parentLabelSingular,
        after.childLabel,
        after.childLabelSingular,
        after.maxChildrenPerParent,
        after.maxParentsPerChild,
      ],
    );
    const target = { type: 'relation', id: after.slug } as const;
    const fields = Object.keys(sent);
    await audit(ctx, tx, { action: 'relation.updated', target, details: { fields } });
    return toRelationResponse(tx, after);
  });
}

async function assertLimitNotExceeded(
  tx: Transaction,
  relation: Relation,
  limit: 'maxChildrenPerParent' | 'maxParentsPerChild',
  end: 'parent_group' | 'child_group',
): Promise<void> {
  const maxLinks = relation[limit];
  if (maxLinks === null) return;
  const [over] = await tx.query<{ count: number }>(
    `SELECT count(*) AS count FROM reference_links WHERE relation_id = $1
     GROUP BY ${end} HAVING count(*) > $2 ORDER BY 1 DESC LIMIT 1`,
    [relation.id, maxLinks],
  );
  if (over) throw invalidInput([{ path: limit, message: `an entry has ${over.count} links already` }]);
}
