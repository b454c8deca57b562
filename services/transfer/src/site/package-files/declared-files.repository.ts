import type { KeysetPage, Queryable, Transaction } from '@quire/database';
import { Parameters } from '@quire/database';
import type { PackageFileRow } from './package-files.repository.js';

/** A file that a client has yet to upload, with its place. */
export type ExpectedFile = Pick<PackageFileRow, 'position' | 'path' | 'bytes' | 'sha256'>;

/** The order of missing files: that of the archive. */
export const missingFileOrder = {
  column: 'f.position',
  idColumn: 'f.path',
  direction: 'asc',
  cast: 'bigint',
  neverNull: true,
} as const;

/**
 * Inserts files of an import that are not stored yet.
 * @param prefix of their objects
 * @returns the paths of the inserted ones: another file of the import may have the path of the others
 */
export async function insertExpectedFiles(
  sql: Queryable,
  { operationId, prefix }: { operationId: string; prefix: string },
  files: readonly ExpectedFile[],
): Promise<Set<string>> {
  const rows = await sql.query<{ path: string }>(
    `INSERT INTO transfer_files (operation_id, position, path, bytes, sha256, object_key, is_stored)
     SELECT $1, position, path, bytes, sha256, $2 || path, false
     FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::text[]) AS f (position, path, bytes, sha256)
     ON CONFLICT DO NOTHING RETURNING path`,
    [
      operationId,
      prefix,
      files.map(({ position }) => position),
      files.map(({ path }) => path),
      files.map(({ bytes }) => bytes),
      files.map(({ sha256 }) => sha256),
    ],
  );
  return new Set(rows.map(({ path }) => path));
}

/** A page of the files of an import that are not stored. */
export function selectMissingFiles(
  sql: Queryable,
  operationId: string,
  page: KeysetPage,
): Promise<ExpectedFile[]> {
  const params = new Parameters();
  return sql.query<ExpectedFile>(
    `SELECT f.position::float8 AS position, f.path, f.bytes::float8 AS bytes, f.sha256 FROM transfer_files f
     WHERE f.operation_id = ${params.add(operationId)} AND NOT f.is_stored AND ${page.condition(params)}
     ${page.order(params)}`,
    params.values,
  );
}

/** Locks a file until the end of the transaction. @returns undefined without such a file */
export async function lockFile(
  tx: Transaction,
  operationId: string,
  position: number,
): Promise<{ isStored: boolean } | undefined> {
  const [row] = await tx.query<{ isStored: boolean }>(
    `SELECT is_stored AS "isStored" FROM transfer_files WHERE operation_id = $1 AND position = $2 FOR UPDATE`,
    [operationId, position],
  );
  return row;
}

/** Records that a file is stored. @returns false when it was already, or when there is none */
export async function markFileStored(
  tx: Transaction,
  operationId: string,
  position: number,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE transfer_files SET is_stored = true
     WHERE operation_id = $1 AND position = $2 AND NOT is_stored RETURNING 1`,
    [operationId, position],
  );
  return rows.length > 0;
}
