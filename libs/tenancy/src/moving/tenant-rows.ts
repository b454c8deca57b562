import { identifier, literal, type Queryable, type Transaction } from '@quire/database';

/**
 * Values of a sequence that are skipped: processes that do not know of the move yet take some of the former database,
 * which must remain the lesser ones.
 */
const sequenceGap = 1_000_000;

/** Name of the temporary table that receives rows. */
const received = 'moved_rows';

/**
 * Moves the rows of a site in the tables across sites of a service to another database: work, messages that wait, keys
 * of idempotent requests. Rows that a worker has locked stay: they are moved when this is repeated. If only the target
 * commits, which commits first, the rows exist twice, and the work of each may run twice.
 * @param source the shared schema of the service
 * @param target the one in the other database; rows that it has remain as they are
 */
export async function moveTenantRows(
  source: Transaction,
  target: Transaction,
  tenantId: string,
): Promise<void> {
  for (const { name, columns } of await selectTenantTables(source)) {
    const [table, list] = [identifier(name), columns.map(identifier).join(', ')];
    const rows = source.copyTo(`COPY (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE tenant_id = ${literal(tenantId)} FOR UPDATE SKIP LOCKED
      )) RETURNING ${list}) TO STDOUT`);
    await target.query(`CREATE TEMPORARY TABLE ${received} (LIKE ${table})`);
    await target.copyFrom(`COPY ${received} (${list}) FROM STDIN`, rows);
    await target.query(
      `INSERT INTO ${table} (${list}) SELECT ${list} FROM ${received} ON CONFLICT DO NOTHING`,
    );
    await target.query(`DROP TABLE ${received}`);
  }
}

/** Makes the sequences of a shared schema go on after those of another database. */
export async function advanceSequences(source: Queryable, target: Queryable): Promise<void> {
  const sequences = await source.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'S'`,
  );
  for (const { name } of sequences) {
    const sequence = identifier(name);
    const [row] = await source.query<{ last: string }>(`SELECT last_value::text AS last FROM ${sequence}`);
    await target.query(
      `SELECT setval('${sequence}', $1::bigint + ${sequenceGap}) FROM ${sequence} WHERE last_value < $1::bigint + ${sequenceGap}`,
      [row?.last ?? '0'],
    );
  }
}

/** The migrations of a shared schema that another database lacks. */
export async function missingMigrations(source: Queryable, target: Queryable): Promise<string[]> {
  const [needed, present] = await Promise.all(
    [source, target].map((sql) => sql.query<{ name: string }>('SELECT name FROM _migrations ORDER BY name')),
  );
  const names = new Set(present?.map(({ name }) => name));
  return (needed ?? []).map(({ name }) => name).filter((name) => !names.has(name));
}

async function selectTenantTables(sql: Queryable): Promise<{ name: string; columns: string[] }[]> {
  return sql.query(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r'
     GROUP BY c.relname HAVING 'tenant_id' = ANY (array_agg(a.attname)) ORDER BY 1`,
  );
}
