import { setTimeout as wait } from 'node:timers/promises';
import { hasSqlState, sqlState } from '../connection/failures.js';
import type { Queryable, TransactionalDatabase } from '../connection/sql.js';

/** One forward step of a service's tables. Names are numbered and never change once released: "0001-users". */
export interface Migration {
  name: string;
  /**
   * Whether programs without it cannot work with the changed tables: it drops, renames or narrows what they use. Others
   * are additive: the former version runs beside the present one, and again after it.
   */
  isBreaking?: true;
  up: (sql: Queryable) => Promise<void>;
  /**
   * Adds the rows that every new site has, after `up`. The tables of further sites are copied from those of the
   * migrations, and their rows are not: they may be secret.
   */
  seed?: (sql: Queryable) => Promise<unknown>;
}

/** Maximum time that an attempt waits for a lock of a table: requests of the table queue behind it. */
const lockTimeoutMs = 2_000;
const maxLockAttempts = 15;
/** Time between two attempts: requests that have queued go on. */
const lockRetryMs = 1_000;

const ledger = `
  CREATE TABLE IF NOT EXISTS _migrations (
    service text NOT NULL,
    name text NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (service, name)
  )`;

export interface MigrationTarget {
  schema: string;
  service: string;
  migrations: readonly Migration[];
}

/**
 * Applies the missing migrations of a schema in a transaction with their lines in the ledger, under an advisory lock
 * for processes that start at the same time. They may take any time; a table that others have locked is tried again, so
 * that no request of it waits longer than `lockTimeoutMs`. Migrations of a newer version that the ledger has are left
 * as they are.
 * @returns the names of the applied migrations
 * @throws the error of PostgreSQL, 55P03 for a table that remains locked; then nothing is applied
 */
export async function migrate(sql: TransactionalDatabase, target: MigrationTarget): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyMissing(sql, target);
    } catch (error) {
      if (!hasSqlState(error, sqlState.lockNotAvailable) || attempt === maxLockAttempts) throw error;
      await wait(lockRetryMs);
    }
  }
}

function applyMissing(
  sql: TransactionalDatabase,
  { schema, service, migrations }: MigrationTarget,
): Promise<string[]> {
  return sql.transaction(async (tx) => {
    const applied = await openLedger(tx, { schema, service });
    const pending = migrations.filter((migration) => !applied.has(migration.name));
    if (pending.length > 0) await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    for (const migration of pending) {
      await migration.up(tx);
      await migration.seed?.(tx);
      await tx.query('INSERT INTO _migrations (service, name) VALUES ($1, $2)', [service, migration.name]);
    }
    return pending.map((migration) => migration.name);
  });
}

/**
 * Locks the ledger of a schema for a service until the end of the transaction.
 * @returns the names of the applied migrations
 */
export async function openLedger(
  tx: Queryable,
  { schema, service }: Pick<MigrationTarget, 'schema' | 'service'>,
): Promise<Set<string>> {
  await tx.query('SET LOCAL statement_timeout = 0');
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`migrate:${schema}:${service}`]);
  await tx.query(ledger);
  const rows = await tx.query<{ name: string }>('SELECT name FROM _migrations WHERE service = $1', [service]);
  return new Set(rows.map((row) => row.name));
}
