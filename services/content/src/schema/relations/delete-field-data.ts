import type { Queryable } from '@quire/database';

/**
 * Key under which a revision holds the selections that wait in it, by field: no field slug begins with an underscore.
 */
export const stagedSelectionsKey = '_references';

/**
 * Forgets what drafts and old revisions hold of a field that goes, its values and its selections: none may come back
 * under a later field of the same name (spec document 2, rule 6). Everything else in them stays as it is, to the order
 * of its keys.
 */
export async function deleteFieldData(sql: Queryable, collection: string, field: string): Promise<void> {
  await sql.query(
    `UPDATE revisions SET data = (
       SELECT coalesce(json_object_agg(key, CASE WHEN key <> '${stagedSelectionsKey}' THEN value ELSE (
         SELECT coalesce(json_object_agg(key, value), '{}'::json) FROM json_each(part.value) WHERE key <> $2) END), '{}'::json)
       FROM json_each(data) part WHERE key <> $2)
     WHERE collection = $1 AND (data -> $2 IS NOT NULL OR data -> '${stagedSelectionsKey}' -> $2 IS NOT NULL)`,
    [collection, field],
  );
}
