import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  insertRow,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
  type Row,
  type RowInput,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { Import, type ImportState } from './import.entity.js';

export type ImportRow = Row<Import>;

const columns = columnsOf(Import);
/** Time without a sign of life after which a file is not being received any more. */
const readingTimeoutSeconds = 120;

/** Lists are ordered by time, the newest first. */
export const importOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/**
 * Stores a new import, whose file is about to be received.
 * @throws QuireError IMPORT_RUNNING when another import of the site has not ended
 */
export async function insertImport(sql: Queryable, values: RowInput<Import>): Promise<ImportRow> {
  return insertRow(sql, Import, values).catch(rejectSecondImport);
}

/**
 * Lets an import that has ended early run again.
 * @returns the row; undefined unless it is paused or failed, and its file is stored
 * @throws QuireError IMPORT_RUNNING when another import of the site has not ended
 */
export async function setRunning(sql: Queryable, id: string): Promise<ImportRow | undefined> {
  const resumed = sql.query<ImportRow>(
    `UPDATE imports SET state = 'running', attempts = 0, error = NULL, finished_at = NULL, updated_at = now()
     WHERE id = $1 AND state IN ('paused', 'failed') AND file_key IS NOT NULL RETURNING ${columns}`,
    [id],
  );
  return (await resumed.catch(rejectSecondImport))[0];
}

/** One import of a site at a time has not ended. */
function rejectSecondImport(error: unknown): never {
  if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
  throw new QuireError(
    'IMPORT_RUNNING',
    'Another import of this site has not ended; wait for it, or undo it if it is paused',
    { cause: error },
  );
}

/**
 * Fails imports whose process died while it received the file: they cannot be resumed.
 * @returns the ids of the failed imports
 */
export async function failAbandonedImports(sql: Queryable): Promise<string[]> {
  const failed = await sql.query<{ id: string }>(
    `UPDATE imports SET state = 'failed', finished_at = now(), updated_at = now(), file_key = NULL,
       error = '{"code":"IMPORT_ERROR","message":"The file was not received to its end"}'
     WHERE state = 'reading' AND updated_at < now() - make_interval(secs => $1) RETURNING id`,
    [readingTimeoutSeconds],
  );
  return failed.map(({ id }) => id);
}

/**
 * The last import of a file, if it can be resumed or runs.
 * @param fileHash xxHash64 of the file as it was sent
 */
export async function selectUnfinishedImport(sql: Queryable, fileHash: string): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id, state, file_key FROM imports WHERE file_hash = $1 ORDER BY created_at DESC, id DESC LIMIT 1
     ) AS last WHERE state IN ('running', 'paused', 'failed') AND file_key IS NOT NULL`,
    [fileHash],
  );
  return row?.id;
}

export async function selectImport(sql: Queryable, id: string): Promise<ImportRow | undefined> {
  const [row] = await sql.query<ImportRow>(`SELECT ${columns} FROM imports WHERE id = $1`, [id]);
  return row;
}

/** A page of imports. */
export function selectImports(sql: Queryable, page: KeysetPage): Promise<ImportRow[]> {
  const params = new Parameters();
  return sql.query<ImportRow>(
    `SELECT ${columns} FROM imports WHERE ${page.condition(params)} ${page.order(params)}`,
    params.values,
  );
}

/**
 * Changes an import that is in one of the states.
 * @returns the row; undefined when it is in another state
 */
export async function updateImport(
  sql: Queryable,
  { id, states }: { id: string; states: readonly ImportState[] },
  values: RowInput<Import>,
): Promise<ImportRow | undefined> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(Import, values, params), 'updated_at = now()'];
  const [row] = await sql.query<ImportRow>(
    `UPDATE imports SET ${assignments.join(', ')}
     WHERE id = ${params.add(id)} AND state = ANY(${params.add(states, 'text[]')}) RETURNING ${columns}`,
    params.values,
  );
  return row;
}

/** Shows that the file is still being received. */
export async function touchImport(sql: Queryable, id: string): Promise<void> {
  await sql.query(`UPDATE imports SET updated_at = now() WHERE id = $1`, [id]);
}

/** Deletes an import whose file was rejected, with its index. */
export async function deleteImport(sql: Queryable, id: string): Promise<void> {
  await sql.query('DELETE FROM imports WHERE id = $1', [id]);
}
