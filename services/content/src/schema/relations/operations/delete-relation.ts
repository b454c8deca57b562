import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { identifier, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { SchemaChanges } from '../../schema-change.js';
import { contentTableName } from '../../tables/content-table.js';
import { deleteFieldData } from '../delete-field-data.js';
import { boundFields, getRelationOrThrow, type Relation } from '../relation.js';

/**
 * Deletes a relation with its links. One that is in use needs `force`, which deletes the fields that view it too.
 * @throws QuireError NOT_FOUND, CONFLICT (in use).
 */
export async function deleteRelation(
  ctx: Context,
  changes: SchemaChanges,
  id: string,
  { force }: { force: boolean },
): Promise<{ deleted: true }> {
  return changes.run(ctx, async (tx) => {
    const relation = await getRelationOrThrow(tx, id, { withRowLock: true });
    const fields = await boundFields(tx, relation.slug);
    const links = await tx.query('SELECT 1 FROM reference_links WHERE relation_id = $1 LIMIT 1', [
      relation.id,
    ]);
    if (!force && (fields.length > 0 || links.length > 0)) {
      throw new QuireError(
        'CONFLICT',
        `'${relation.slug}' is in use: send force=true to delete its fields and links too`,
      );
    }
    await deleteRelationRows(tx, relation);
    const target = { type: 'relation', id: relation.slug } as const;
    await audit(ctx, tx, { action: 'relation.deleted', target, details: { force } });
    return { deleted: true };
  });
}

/**
 * Removes a relation, its links and the fields that view it, with what drafts select in them; the fields' collections
 * count as changed, and nobody writes entries of them meanwhile: a draft that is being written would keep its
 * selection.
 */
export async function deleteRelationRows(tx: Transaction, { id, slug }: Relation): Promise<void> {
  for (const { collectionSlug, fieldSlug } of await boundFields(tx, slug)) {
    await tx.query(`LOCK TABLE ${identifier(contentTableName(collectionSlug))} IN SHARE ROW EXCLUSIVE MODE`);
    await deleteFieldData(tx, collectionSlug, fieldSlug);
  }
  const touched = await tx.query<{ id: string }>(
    `DELETE FROM fields WHERE type = 'reference' AND validation ->> 'relation' = $1 RETURNING collection_id AS id`,
    [slug],
  );
  await tx.query('UPDATE collections SET version = version + 1 WHERE id = ANY($1)', [
    touched.map((row) => row.id),
  ]);
  await tx.query('DELETE FROM relations WHERE id = $1', [id]);
}
