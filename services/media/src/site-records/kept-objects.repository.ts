import type { Queryable } from '@quire/database';

/** A file of the copied media items. */
export interface KeptFile {
  sha256: string;
  objectKey: string;
  bytes: number;
}

/**
 * Keeps the object of each ready item for an operation; of items with the same bytes, one object.
 * @param keptDays the time after which the objects may be deleted, in case that the operation does not end
 */
export async function keepObjects(sql: Queryable, operationId: string, keptDays: number): Promise<void> {
  await releaseObjects(sql, operationId);
  await sql.query(
    `INSERT INTO kept_objects (operation_id, sha256, object_key, bytes, kept_until)
     SELECT DISTINCT ON (sha256) $1, sha256, object_key, size, now() + make_interval(days => $2)
     FROM media_items WHERE status = 'ready' AND sha256 IS NOT NULL AND object_key IS NOT NULL ORDER BY sha256, id`,
    [operationId, keptDays],
  );
}

/** @returns the keys of the objects that the operation kept */
export async function releaseObjects(sql: Queryable, operationId: string): Promise<string[]> {
  const rows = await sql.query<{ objectKey: string }>(
    'DELETE FROM kept_objects WHERE operation_id = $1 RETURNING object_key AS "objectKey"',
    [operationId],
  );
  return rows.map(({ objectKey }) => objectKey);
}

/** A page of the kept files, by hash. */
export function selectKeptFiles(
  sql: Queryable,
  operationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<KeptFile[]> {
  return sql.query<KeptFile>(
    `SELECT sha256, object_key AS "objectKey", bytes::float8 AS bytes FROM kept_objects
     WHERE operation_id = $1 AND sha256 COLLATE "C" > $2 ORDER BY sha256 COLLATE "C" LIMIT $3`,
    [operationId, after, limit],
  );
}
