import type { Queryable, Statement } from '@quire/database';
import { stringifyJson } from '@quire/values';
import type { ImportErrorDetails } from './import-error.entity.js';

/** SQL of the import failure of entry `e`. Only drafts have one, so other entries are read without the look-up. */
export const importErrorOfEntry = `CASE WHEN e.status = 'draft' THEN (
  SELECT i.error FROM import_errors i WHERE i.entry_id = e.id) END`;

/** SQL: whether entry `e` has an import failure. */
export const hasImportError = `(e.status = 'draft' AND EXISTS (
  SELECT FROM import_errors i WHERE i.entry_id = e.id))`;

/** Stores the failures of entries, with one statement; replaces former ones. */
export async function upsertImportErrors(
  sql: Queryable,
  failures: readonly { entryId: string; error: ImportErrorDetails }[],
): Promise<void> {
  if (failures.length === 0) return;
  await sql.query(
    `INSERT INTO import_errors (entry_id, error)
     SELECT n."entryId", n.error FROM json_to_recordset($1) AS n ("entryId" text, error json)
     ON CONFLICT (entry_id) DO UPDATE SET error = excluded.error`,
    [stringifyJson(failures)],
  );
}

/** The statement that removes the failures of entries. */
export function importErrorDeletion(entryIds: readonly string[]): Statement {
  return { text: 'DELETE FROM import_errors WHERE entry_id = ANY($1)', values: [entryIds] };
}

/** Removes the failures of entries. */
export async function deleteImportErrors(sql: Queryable, entryIds: readonly string[]): Promise<void> {
  if (entryIds.length > 0) await sql.query(importErrorDeletion(entryIds));
}
