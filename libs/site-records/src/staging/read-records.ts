import type { Queryable } from '@quire/database';
import type { RecordKind } from '@quire/site-package';

/** A page of copied records. */
export interface RecordPage {
  /** JSON texts of one record each, in the order of their keys. */
  lines: string[];
  /** Position of the last line; `after` of the next page. */
  last: number;
}

/**
 * Reads copied records.
 * @param page `after` is 0 for the first page. A page has at most `maxRecords` records; it ends with the record that
 *   reaches `maxBytes`
 */
export async function readStagedRecords(
  sql: Queryable,
  operationId: string,
  page: { kind: RecordKind; after: number; maxRecords: number; maxBytes: number },
): Promise<RecordPage> {
  const { kind, after, maxRecords, maxBytes } = page;
  // The sizes are summed before the texts are read: a page never holds more than it returns.
  const rows = await sql.query<{ position: number; record: string }>(
    `WITH sized AS (
       SELECT position, sum(octet_length(record)) OVER (ORDER BY position) - octet_length(record) AS before
       FROM staged_records WHERE operation_id = $1 AND kind = $2 AND position > $3
       ORDER BY position LIMIT $4)
     SELECT position::float8 AS position, record FROM staged_records
     WHERE operation_id = $1 AND kind = $2
       AND position IN (SELECT position FROM sized WHERE before < $5)
     ORDER BY staged_records.position`,
    [operationId, kind, after, maxRecords, maxBytes],
  );
  return { lines: rows.map(({ record }) => record), last: rows.at(-1)?.position ?? after };
}

/** Deletes the copies of an operation. */
export async function discardStagedRecords(sql: Queryable, operationId: string): Promise<void> {
  await sql.query('DELETE FROM staged_records WHERE operation_id = $1', [operationId]);
}
