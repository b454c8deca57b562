import { insertRows, type Queryable, type Row, type RowInput } from '@quire/database';
import { archivedBytes } from '../archive/archive-layout.js';
import { PackageFile } from './package-file.entity.js';

export type PackageFileRow = Row<PackageFile>;

/** Numbers of files and bytes are below 2^53. */
const columns = `operation_id AS "operationId", position::float8 AS position, path, bytes::float8 AS bytes, sha256,
  object_key AS "objectKey", is_stored AS "isStored"`;

const deletedPerStatement = 50_000;

/** Replaces files of an operation: a repeated step writes the same ones again. */
export async function replaceFiles(sql: Queryable, files: readonly RowInput<PackageFile>[]): Promise<void> {
  const [first] = files;
  if (!first) return;
  await sql.query('DELETE FROM transfer_files WHERE operation_id = $1 AND position = ANY($2::bigint[])', [
    first.operationId,
    files.map(({ position }) => position),
  ]);
  await insertRows(sql, PackageFile, files);
}

/** The files of an operation in the order of the archive. */
export function selectFiles(
  sql: Queryable,
  operationId: string,
  { after, limit }: { after: number; limit: number },
): Promise<PackageFileRow[]> {
  return sql.query<PackageFileRow>(
    `SELECT ${columns} FROM transfer_files WHERE operation_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
    [operationId, after, limit],
  );
}

/** A file of an operation by its path in the package. */
export async function selectFile(
  sql: Queryable,
  operationId: string,
  path: string,
): Promise<PackageFileRow | undefined> {
  const [row] = await sql.query<PackageFileRow>(
    `SELECT ${columns} FROM transfer_files WHERE operation_id = $1 AND path = $2`,
    [operationId, path],
  );
  return row;
}

/** Number and bytes of the files whose path begins with a text. */
export async function sumFiles(
  sql: Queryable,
  operationId: string,
  prefix = '',
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql.query<{ count: number; bytes: number }>(
    `SELECT count(*)::float8 AS count, coalesce(sum(bytes), 0)::float8 AS bytes FROM transfer_files
     WHERE operation_id = $1 AND starts_with(path, $2)`,
    [operationId, prefix],
  );
  return row ?? { count: 0, bytes: 0 };
}

/** Deletes the rows of an operation's files in statements of bounded time: there may be millions. */
export async function deleteFiles(sql: Queryable, operationId: string): Promise<void> {
  for (let deleted = deletedPerStatement; deleted === deletedPerStatement;) {
    const [row] = await sql.query<{ count: number }>(
      `WITH deleted AS (
         DELETE FROM transfer_files WHERE operation_id = $1 AND position IN (
           SELECT position FROM transfer_files WHERE operation_id = $1 ORDER BY position LIMIT $2) RETURNING 1)
       SELECT count(*)::int AS count FROM deleted`,
      [operationId, deletedPerStatement],
    );
    deleted = row?.count ?? 0;
  }
}

/** A file and the place of its header in the archive, in bytes. */
export interface PlacedFile extends PackageFileRow {
  start: number;
}

/** The bytes that all files of an operation take in the archive. */
export async function selectArchiveSize(sql: Queryable, operationId: string): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `SELECT coalesce(sum(${archivedBytes}), 0)::float8 AS bytes FROM transfer_files WHERE operation_id = $1`,
    [operationId],
  );
  return row?.bytes ?? 0;
}

/**
 * Files in the order of the archive, from the one that holds the byte `from` on.
 * @param page `start` is the place of the first file after the position `after`
 */
export function selectFilesFrom(
  sql: Queryable,
  operationId: string,
  page: { from: number; after: number; start: number; limit: number },
): Promise<PlacedFile[]> {
  return sql.query<PlacedFile>(
    `SELECT ${columns}, (following - size)::float8 AS start
     FROM (SELECT *, ${archivedBytes} AS size, $3 + sum(${archivedBytes}) OVER (ORDER BY position) AS following
           FROM transfer_files WHERE operation_id = $1 AND position > $2) f
     WHERE following > $4 ORDER BY f.position LIMIT $5`,
    [operationId, page.after, page.start, page.from, page.limit],
  );
}
