import type { Queryable, TransactionalDatabase } from '../connection/sql.js';

/** One forward step of a service's tables. Names are numbered and never change once released: "0001-users". */
export interface Migration {
  name: string;
  up: (sql: Queryable) => Promise<void>;
}

const ledger = `
  CREATE TABLE IF NOT EXISTS _migrations (
    service text NOT NULL,
    name text NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (service, name)
  )`;

/** The ledger has a migration that this older program does not know: it must not run on this database. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/**
 * Applies the missing migrations of a schema, each in a transaction with its line in the ledger, under an advisory lock
 * for processes that start at the same time.
 * @returns the names of the applied migrations
 * @throws NewerDatabaseError when the ledger has migrations that this program does not know
 */
export async function migrate(
  sql: TransactionalDatabase,
  { schema, service, migrations }: { schema: string; service: string; migrations: readonly Migration[] },
): Promise<string[]> {
  return sql.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`migrate:${schema}:${service}`]);
    await tx.query(ledger);
    const rows = await tx.query<{ name: string }>('SELECT name FROM _migrations WHERE service = $1', [
      service,
    ]);
    const applied = new Set(rows.map((row) => row.name));
    const known = new Set(migrations.map((migration) => migration.name));
    const unknown = [...applied].filter((name) => !known.has(name));
    if (unknown.length > 0) {
      throw new NewerDatabaseError(
        `${service}: the database is newer than this program (it has ${unknown.join(', ')}); start the newer version`,
      );
    }
    const pending = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of pending) {
      await migration.up(tx);
      await tx.query('INSERT INTO _migrations (service, name) VALUES ($1, $2)', [service, migration.name]);
    }
    return pending.map((migration) => migration.name);
  });
}
