import type { Queryable } from '@quire/database';
import type { KeyFault } from './import-keys.repository.js';

const items = `SELECT record_key, value::json ->> 0 AS sha256, (value::json ->> 1)::bigint AS size
  FROM transfer_import_keys
  WHERE operation_id = $1 AND kind = 'media_items' AND role = 'value' AND scope = 'media_items.sha256,size'`;
const files = `SELECT substr(path, length('media/') + 1) AS sha256, bytes FROM transfer_files
  WHERE operation_id = $1 AND starts_with(path, 'media/')`;

/** Media items whose file the package lacks. */
export function selectItemsWithoutFile(sql: Queryable, operationId: string): Promise<KeyFault[]> {
  return firstOf(
    sql,
    operationId,
    `SELECT i.record_key AS id, i.sha256 AS value FROM (${items}) i
     WHERE NOT EXISTS (SELECT 1 FROM (${files}) f WHERE f.sha256 = i.sha256)`,
  );
}

/** Media items that state another size than that of their file. */
export function selectItemsOfOtherSize(sql: Queryable, operationId: string): Promise<KeyFault[]> {
  return firstOf(
    sql,
    operationId,
    `SELECT i.record_key AS id, i.sha256 AS value FROM (${items}) i JOIN (${files}) f USING (sha256)
     WHERE f.bytes <> i.size`,
  );
}

/** Media files that belong to no item. */
export function selectFilesWithoutItem(sql: Queryable, operationId: string): Promise<KeyFault[]> {
  return firstOf(
    sql,
    operationId,
    `SELECT f.sha256 AS id, f.sha256 AS value FROM (${files}) f
     WHERE NOT EXISTS (SELECT 1 FROM (${items}) i WHERE i.sha256 = f.sha256)`,
  );
}

/** The first of the faults, with their number. */
function firstOf(sql: Queryable, operationId: string, select: string): Promise<KeyFault[]> {
  return sql.query<KeyFault>(
    `WITH faults AS MATERIALIZED (${select})
     SELECT 'sha256' AS property, id, value, (SELECT count(*)::float8 FROM faults) AS count
     FROM faults ORDER BY id COLLATE "C" LIMIT 1`,
    [operationId],
  );
}
