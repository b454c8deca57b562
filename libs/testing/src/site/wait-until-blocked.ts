import { eventually } from './eventually.js';
import type { Site } from './open-site.js';

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
