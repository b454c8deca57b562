import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { identifier } from '@quire/database';
import { QuireError } from '@quire/errors';
import { sharedSchema } from '@quire/tenancy';
import { deleteRelationRows } from '../../relations/operations/delete-relation.js';
import { lockRelations } from '../../relations/relation.js';
import type { SchemaChanges } from '../../schema-change.js';

/**
 * Removes a collection with its entries, their revisions, credits, terms, comments and schedules, its relations and the
 * fields of other collections that view them. Trashed entries count as content.
 * @throws QuireError COLLECTION_NOT_FOUND, COLLECTION_HAS_CONTENT (without `force`).
 */
export async function deleteCollection(
  ctx: Context,
  changes: SchemaChanges,
  slug: string,
  { force }: { force: boolean },
): Promise<{ success: true; deleted: true }> {
  return changes.withTableLock(ctx, slug, async ({ tx, collection, table }) => {
    const some = await tx.query(`SELECT 1 FROM ${identifier(table)} LIMIT 1`);
    if (some.length > 0 && !force) {
      throw new QuireError(
        'COLLECTION_HAS_CONTENT',
        `'${slug}' has entries, trashed ones included: send force=true to remove them too`,
      );
    }
    for (const relation of await lockRelations(tx, slug)) await deleteRelationRows(tx, relation);
    await tx.query(`DELETE FROM entry_locks WHERE entry_id IN (SELECT id FROM ${identifier(table)})`);
    await tx.query(`DROP TABLE ${identifier(table)}`);
    await tx.query('DELETE FROM revisions WHERE collection = $1', [slug]);
    await tx.query('DELETE FROM entry_bylines WHERE collection = $1', [slug]);
    await tx.query('DELETE FROM entry_terms WHERE collection = $1', [slug]);
    await tx.query(
      `DELETE FROM comments WHERE id IN (SELECT id FROM comments WHERE collection = $1 ORDER BY id FOR UPDATE)`,
      [slug],
    );
    await tx.query(
      `DELETE FROM ${identifier(sharedSchema('content'))}.schedules WHERE tenant_id = $1 AND collection = $2`,
      [ctx.principal.tenant.id, slug],
    );
    await tx.query('DELETE FROM collections WHERE id = $1', [collection.id]);
    const target = { type: 'collection', id: slug } as const;
    await audit(ctx, tx, { action: 'collection.deleted', target, details: { force } });
    return { success: true, deleted: true };
  });
}
