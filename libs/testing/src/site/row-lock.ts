import pg from 'pg';
import { eventually } from './eventually.js';
import type { Site } from './open-site.js';

/** Locks rows of a site, so that a test can order concurrent requests; see `waitUntilBlocked`. */
export interface RowLock {
  /** Runs a locking statement. The first one begins the transaction. */
  acquire(text: string, values?: unknown[]): Promise<void>;
  /** Commits, which releases all locks. */
  release(): Promise<void>;
  /** Rolls back, which releases all locks. */
  rollback(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a separate connection to the site's schema. */
export async function openRowLock(site: Site): Promise<RowLock> {
  const client = new pg.Client({
    connectionString: site.system.databaseUrl,
    options: `-c search_path=${pg.escapeIdentifier(site.schema)}`,
  });
  await client.connect();
  let isInTransaction = false;
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    await client.query(how);
    isInTransaction = false;
  };
  return {
    acquire: async (text, values = []) => {
      if (!isInTransaction) await client.query('BEGIN');
      isInTransaction = true;
      await client.query(text, values);
    },
    release: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
    close: () => client.end(),
  };
}

/**
 * Waits until `count` statements on these tables of a site are blocked by a lock, so that a test can order concurrent
 * requests.
 * @throws Error when they are not blocked in time
 */
export async function waitUntilBlocked(site: Site, tables: readonly string[], count = 1): Promise<void> {
  // Uses another connection than the holder of the lock: within a transaction the first result stays.
  const waiting = () =>
    site.sql(
      `SELECT DISTINCT a.pid FROM pg_stat_activity a JOIN pg_locks l USING (pid)
       WHERE a.wait_event_type = 'Lock' AND l.relation = ANY($1::regclass[])`,
      [tables],
    );
  const seen = await eventually(waiting, ({ length }) => length >= count);
  if (seen.length < count) throw new Error('No statement is waiting for a lock');
}
