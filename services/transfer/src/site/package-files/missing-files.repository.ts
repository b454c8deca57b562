import type { Queryable } from '@quire/database';

/** The files of an import that are not stored: the first paths in the order of the archive, and their number. */
export async function selectMissingPaths(
  sql: Queryable,
  operationId: string,
  limit: number,
): Promise<{ paths: string[]; count: number }> {
  const rows = await sql.query<{ path: string; count: number }>(
    `SELECT path, (count(*) OVER ())::float8 AS count FROM transfer_files
     WHERE operation_id = $1 AND NOT is_stored ORDER BY position LIMIT $2`,
    [operationId, limit],
  );
  return { paths: rows.map(({ path }) => path), count: rows[0]?.count ?? 0 };
}
