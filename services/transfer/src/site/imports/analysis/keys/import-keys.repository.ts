import type { Queryable, Row, Transaction, TransactionalDatabase } from '@quire/database';
import type { RecordKind } from '@quire/site-package';
import type { ImportKey } from './import-key.entity.js';

export type ImportKeyRow = Omit<Row<ImportKey>, 'id' | 'operationId'>;

/** Records with the same fault: the first one with its value, and their number. */
export interface KeyFault {
  property: string;
  id: string;
  value: string;
  count: number;
}

/** Rows of one statement. */
const rowsPerInsert = 20_000;
/** Statements over all records of a kind. */
const statementTimeout = '3600s';

const markerRow: ImportKeyRow = {
  role: 'marker',
  kind: '',
  property: '',
  scope: '',
  value: '',
  recordKey: '',
  count: 0,
};

/** Deletes the keys of all imports, of which a site has one at a time, and begins those of an operation. */
export async function beginKeys(sql: Queryable, operationId: string): Promise<void> {
  await sql.query('DELETE FROM transfer_import_keys');
  await insertKeys(sql, operationId, [markerRow]);
}

/** Whether the keys of an operation are there: a crash of the database deletes all of them. */
export async function hasKeys(sql: Queryable, operationId: string): Promise<boolean> {
  const rows = await sql.query(
    "SELECT 1 FROM transfer_import_keys WHERE operation_id = $1 AND kind = '' AND role = 'marker' LIMIT 1",
    [operationId],
  );
  return rows.length > 0;
}

/** Inserts keys and references of records. */
export async function insertKeys(
  sql: Queryable,
  operationId: string,
  rows: readonly ImportKeyRow[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const part = rows.slice(start, start + rowsPerInsert);
    await sql.query(
      `INSERT INTO transfer_import_keys (operation_id, role, kind, property, scope, value, record_key, count)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[])`,
      [
        operationId,
        part.map(({ role }) => role),
        part.map(({ kind }) => kind),
        part.map(({ property }) => property),
        part.map(({ scope }) => scope),
        part.map(({ value }) => value),
        part.map(({ recordKey }) => recordKey),
        part.map(({ count }) => count),
      ],
    );
  }
}

/** Deletes what the analysis of an import has noted of its records. */
export async function deleteKeys(sql: Queryable, operationId: string): Promise<void> {
  await sql.query('DELETE FROM transfer_import_keys WHERE operation_id = $1', [operationId]);
}

/**
 * Runs statements over all records of a kind, which may take minutes. The database has no statistics of keys that were
 * just inserted, and expects few: it would compare all of them in pairs.
 */
export function withLongStatements<Result>(
  db: TransactionalDatabase,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = '${statementTimeout}'`);
    await tx.query('SET LOCAL enable_nestloop = off');
    return work(tx);
  });
}

/** The references of a kind that name no record, by property. */
export function selectDanglingReferences(
  sql: Queryable,
  { operationId, kind, property, scope }: Scoped & { property: string; scope: string },
): Promise<KeyFault[]> {
  return sql.query<KeyFault>(
    `WITH dangling AS MATERIALIZED (
       SELECT r.property, r.record_key, r.value, r.count FROM transfer_import_keys r
       WHERE r.operation_id = $1 AND r.kind = $2 AND r.role = 'reference' AND r.property = $3
         AND NOT EXISTS (SELECT 1 FROM transfer_import_keys v
           WHERE v.operation_id = $1 AND v.kind = $5 AND v.role = 'value' AND v.scope = $4 AND v.value = r.value))
     SELECT property, record_key AS id, value, (SELECT sum(count)::float8 FROM dangling) AS count
     FROM dangling ORDER BY record_key COLLATE "C", value COLLATE "C" LIMIT 1`,
    [operationId, kind, property, scope, scope.slice(0, scope.indexOf('.'))],
  );
}

/** Values that several records of a kind share: of the scopes, and of properties that begin with a prefix. */
export function selectSharedValues(
  sql: Queryable,
  { operationId, kind, scopes, prefix }: Scoped & { scopes: readonly string[]; prefix: string },
): Promise<KeyFault[]> {
  return sql.query<KeyFault>(
    `SELECT DISTINCT ON (property) property, id, value, (sum(records - 1) OVER (PARTITION BY property))::float8 AS count
     FROM (SELECT property, value, count(*) AS records, min(record_key COLLATE "C") AS id
           FROM transfer_import_keys
           WHERE operation_id = $1 AND kind = $2 AND role = 'value'
             AND (scope = ANY($3) OR ($4 <> '' AND starts_with(property, $4)))
           GROUP BY property, value HAVING count(*) > 1) shared
     ORDER BY property, id, value COLLATE "C"`,
    [operationId, kind, scopes, prefix],
  );
}

interface Scoped {
  operationId: string;
  kind: RecordKind;
}

/**
 * Finds records that are their own ancestors, and those below them. References to parents are replaced by those to
 * grandparents, and so on: after few rounds only they are left.
 */
export async function selectCycles(
  tx: Transaction,
  target: Scoped & { property: string },
): Promise<KeyFault[]> {
  const { operationId, kind, property } = target;
  const parameters = [operationId, kind, property];
  const rows = (alias: string) =>
    `${alias}.operation_id = $1 AND ${alias}.kind = $2 AND ${alias}.role = 'reference' AND ${alias}.property = $3`;
  for (;;) {
    // The parent of these is a root, or missing.
    const ended = await tx.query(
      `WITH ended AS (
         DELETE FROM transfer_import_keys e WHERE ${rows('e')} AND NOT EXISTS
           (SELECT 1 FROM transfer_import_keys p WHERE ${rows('p')} AND p.record_key = e.value) RETURNING 1)
       SELECT 1 FROM ended LIMIT 1`,
      parameters,
    );
    if (ended.length === 0) break;
    await tx.query(
      `UPDATE transfer_import_keys e SET value = p.value FROM transfer_import_keys p
       WHERE ${rows('e')} AND ${rows('p')} AND p.record_key = e.value`,
      parameters,
    );
  }
  return tx.query<KeyFault>(
    `SELECT property, min(record_key COLLATE "C") AS id, '' AS value, count(*)::float8 AS count
     FROM transfer_import_keys e WHERE ${rows('e')} GROUP BY property`,
    parameters,
  );
}
