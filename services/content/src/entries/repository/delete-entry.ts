import { identifier, type Queryable } from '@quire/database';
import type { CollectionDefinition } from '../../schema/index.js';
import { schedulesTable } from './schedules.repository.js';

/** Deletes a trashed entry, as `deleteEntries`. @returns whether it was deleted. */
export async function deleteEntry(
  tx: Queryable,
  definition: CollectionDefinition,
  { id, tenantId }: { id: string; tenantId: string },
): Promise<boolean> {
  const deleted = await deleteEntries(tx, definition, { ids: [id], tenantId, onlyTrashed: true });
  return deleted.length > 0;
}

/**
 * Deletes entries, and the rows of their translation groups when no other translation is left. Links and assignments of
 * terms are locked in the order that writers lock them.
 * @returns the ids that were deleted.
 */
export async function deleteEntries(
  tx: Queryable,
  { table, slug }: CollectionDefinition,
  { ids, tenantId, onlyTrashed }: { ids: readonly string[]; tenantId: string; onlyTrashed: boolean },
): Promise<string[]> {
  const deleted = await tx.query<{ id: string }>({
    text: `
      WITH removed AS (
        DELETE FROM ${identifier(table)} WHERE id = ANY($1) ${onlyTrashed ? 'AND deleted_at IS NOT NULL' : ''}
        RETURNING id, _translation_group
      ), emptied_groups AS (
        SELECT DISTINCT r._translation_group AS grp FROM removed r WHERE NOT EXISTS (
          SELECT 1 FROM ${identifier(table)} o
          WHERE o._translation_group = r._translation_group AND o.id NOT IN (SELECT id FROM removed))
      ), linked AS (
        SELECT l.relation_id, l.parent_group, l.child_group
        FROM reference_links l JOIN emptied_groups ON emptied_groups.grp IN (l.parent_group, l.child_group)
        JOIN relations t ON t.id = l.relation_id AND $3 IN (t.parent_collection, t.child_collection)
        ORDER BY 1, 2, 3 FOR UPDATE OF l
      ), links AS (
        DELETE FROM reference_links
        WHERE (relation_id, parent_group, child_group) IN (SELECT relation_id, parent_group, child_group FROM linked)
      ), history AS (DELETE FROM revisions WHERE entry_id IN (SELECT id FROM removed)
      ), failure AS (DELETE FROM import_errors WHERE entry_id IN (SELECT id FROM removed)
      ), lease AS (DELETE FROM entry_locks WHERE entry_id IN (SELECT id FROM removed)
      ), credits AS (DELETE FROM entry_bylines WHERE entry_id IN (SELECT id FROM removed)
      ), assigned AS (
        SELECT entry_group, term_group FROM entry_terms WHERE entry_group IN (SELECT grp FROM emptied_groups)
        ORDER BY 1, 2 FOR UPDATE
      ), terms AS (
        DELETE FROM entry_terms WHERE (entry_group, term_group) IN (SELECT entry_group, term_group FROM assigned)
      ), entry_comments AS (
        SELECT id FROM comments WHERE content_id IN (SELECT id FROM removed) ORDER BY id FOR UPDATE
      ), deleted_comments AS (DELETE FROM comments WHERE id IN (SELECT id FROM entry_comments)
      ), pending AS (
        DELETE FROM ${schedulesTable}
        WHERE tenant_id = $2 AND entry_id IN (SELECT id FROM removed)
      ) SELECT id FROM removed`,
    values: [ids, tenantId, slug],
  });
  return deleted.map(({ id }) => id);
}
