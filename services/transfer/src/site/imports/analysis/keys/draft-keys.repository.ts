import type { Queryable } from '@quire/database';
import type { KeyFault } from './import-keys.repository.js';

/** Entries whose draft is the revision of another entry. Keys of entries are their collection, a slash and their id. */
export function selectForeignDrafts(sql: Queryable, operationId: string): Promise<KeyFault[]> {
  return sql.query<KeyFault>(
    `WITH drafts AS MATERIALIZED (
       SELECT d.record_key, d.value FROM transfer_import_keys d JOIN transfer_import_keys r ON r.record_key = d.value
       WHERE d.operation_id = $1 AND d.kind = 'entries' AND d.role = 'reference' AND d.property = 'draftRevisionId'
         AND r.operation_id = $1 AND r.kind = 'revisions' AND r.role = 'reference' AND r.property = 'entryId'
         AND r.value <> substr(d.record_key, strpos(d.record_key, '/') + 1))
     SELECT 'draftRevisionId' AS property, record_key AS id, value, (SELECT count(*)::float8 FROM drafts) AS count
     FROM drafts ORDER BY record_key COLLATE "C" LIMIT 1`,
    [operationId],
  );
}
