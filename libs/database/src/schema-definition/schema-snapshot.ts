import { hasSqlState, sqlState } from '../connection/failures.js';
import type { Queryable, Transaction, TransactionalDatabase } from '../connection/sql.js';
import { identifier } from '../statements/identifiers.js';

const maxAttempts = 5;

/**
 * Runs `work` in one snapshot of the schema of the statements. Its tables are locked against changes of their columns,
 * which no snapshot keeps, and not against changes of their rows. Statements may take any time.
 * @throws Error when tables are created or dropped at each attempt
 */
export async function inSchemaSnapshot<Result>(
  db: TransactionalDatabase,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const tables = await selectTables(db);
    const result = await db.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      // The first query takes the snapshot: the locks come before it.
      if (!(await lockTables(tx, tables))) return undefined;
      const locked = await selectTables(tx);
      if (locked.join() !== tables.join()) return undefined;
      await allowLongStatements(tx);
      return { value: await work(tx) };
    });
    if (result) return result.value;
  }
  throw new Error('Tables were created or dropped at each attempt to read the schema: repeat it later');
}

/** Lifts the limits on the duration of statements, and on pauses between them, for a transaction. */
export async function allowLongStatements(tx: Transaction): Promise<void> {
  await tx.query('SET LOCAL statement_timeout = 0');
  await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
}

async function selectTables(sql: Queryable): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

/** @returns whether all of the tables exist */
async function lockTables(tx: Transaction, tables: readonly string[]): Promise<boolean> {
  if (tables.length === 0) return true;
  try {
    await tx.query(`LOCK TABLE ${tables.map(identifier).join(', ')} IN ACCESS SHARE MODE`);
    return true;
  } catch (error) {
    if (hasSqlState(error, sqlState.undefinedTable)) return false;
    throw error;
  }
}
