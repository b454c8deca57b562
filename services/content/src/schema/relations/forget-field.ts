import type { Sql } from '@quire/database';

/** Key under which a revision holds the selections that wait in it, by field: no field slug begins with an underscore. */
export const stagedSelectionsKey = '_references';

/** Forgets what drafts and old revisions select in a field that goes: it must not come back under a later one. */
export async function dropStagedSelections(sql: Sql, collection: string, field: string): Promise<void> {
  await sql.query(
    `UPDATE revisions SET data = (data::jsonb #- ARRAY['${stagedSelectionsKey}', $2])::json
     WHERE collection = $1 AND (data -> '${stagedSelectionsKey}' -> $2) IS NOT NULL`,
    [collection, field],
  );
}
