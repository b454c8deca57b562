import { identifier, Parameters, type Queryable } from '@quire/database';
import { isUnchanged } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';

/** Whether a collection still has the version of its definition. */
export async function isCurrent(tx: Queryable, definition: CollectionDefinition): Promise<boolean> {
  const parameters = new Parameters();
  const rows = await tx.query(`SELECT 1 WHERE ${isUnchanged(definition, parameters)}`, parameters.values);
  return rows.length > 0;
}

/** Locks translation groups until the transaction ends, in the order of ids. @returns their entries */
export function lockGroups(
  tx: Queryable,
  { table }: CollectionDefinition,
  groups: readonly string[],
): Promise<{ id: string; group: string }[]> {
  return tx.query(
    `SELECT id, _translation_group AS "group" FROM ${identifier(table)}
     WHERE _translation_group = ANY($1) ORDER BY id FOR NO KEY UPDATE`,
    [groups],
  );
}

/** Deletes the credits of entries. */
export async function deleteCredits(tx: Queryable, entryIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM entry_bylines WHERE entry_id = ANY($1)', [entryIds]);
}

/**
 * Removes the terms of the named taxonomies that groups of entries do not have any more. The caller has locked those
 * that they have.
 */
export async function deleteOtherTerms(
  tx: Queryable,
  assigned: readonly { group: string; taxonomyId: string; termGroups: readonly string[] }[],
): Promise<void> {
  if (assigned.length === 0) return;
  await tx.query(
    `WITH removed AS (
       SELECT x.entry_group, x.term_group
       FROM json_to_recordset($1) AS n ("group" text, "taxonomyId" text, "termGroups" jsonb)
       JOIN entry_terms x ON x.entry_group = n."group"
       JOIN term_groups g ON g.id = x.term_group AND g.taxonomy_id = n."taxonomyId"
       WHERE NOT n."termGroups" ? g.id ORDER BY 1, 2 FOR UPDATE OF x
     ) DELETE FROM entry_terms x USING removed r
       WHERE x.entry_group = r.entry_group AND x.term_group = r.term_group`,
    [JSON.stringify(assigned)],
  );
}

/** Gives entries of one collection the times of their sources; null keeps a time. */
export async function updateTimes(
  tx: Queryable,
  { table }: CollectionDefinition,
  entries: readonly { id: string; createdAt: string | null; updatedAt: string | null }[],
): Promise<void> {
  await tx.query(
    `UPDATE ${identifier(table)} e SET created_at = coalesce(n."createdAt", e.created_at),
       updated_at = coalesce(n."updatedAt", e.updated_at)
     FROM json_to_recordset($1) AS n (id text, "createdAt" timestamptz, "updatedAt" timestamptz) WHERE e.id = n.id`,
    [JSON.stringify(entries)],
  );
}
