import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask, type Sweep } from '@quire/runtime';
import { idempotencyKeysTable, retentionInterval } from './idempotency-keys.tables.js';

const everyMs = 600_000;
const batchSize = 1_000;

/**
 * Deletes the expired responses of a service at the start, and then periodically. Expired responses are not used even
 * before, so it may run late and in several processes.
 * @param parts.databases the shared schema of each database of the service; one that fails or is slow delays no other
 */
export function expiredKeysSweep(
  service: string,
  { databases, logger }: { databases: readonly Queryable[]; logger: Pick<Logger, 'warn'> },
): Sweep {
  const table = idempotencyKeysTable(service);
  const deleteExpired = async (sql: Queryable, isStopping: () => boolean): Promise<void> => {
    let deleted: object[];
    do {
      deleted = await sql.query(
        `DELETE FROM ${table} WHERE (tenant_id, key_hash) IN (
           SELECT tenant_id, key_hash FROM ${table} WHERE created_at <= now() - ${retentionInterval} LIMIT $1
           FOR UPDATE SKIP LOCKED
         ) RETURNING 1`,
        [batchSize],
      );
    } while (deleted.length === batchSize && !isStopping());
  };
  const tasks = databases.map(
    (sql) =>
      new IntervalTask({
        work: (isStopping) => deleteExpired(sql, isStopping),
        everyMs,
        failure: 'deletion of expired idempotency keys failed',
        logger,
      }),
  );
  return {
    tasks,
    start() {
      for (const task of tasks) task.start(0);
    },
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}
