import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask } from '@quire/runtime';
import { idempotencyKeysTable, retentionInterval } from './idempotency-keys.tables.js';

const everyMs = 600_000;
const batchSize = 1_000;

export interface ExpiredKeysSweep {
  /** Deletes now, and then periodically. */
  start(): void;
  /** Waits for the present deletions. */
  stop(): Promise<void>;
}

/**
 * Deletes the expired responses of a service. Expired responses are not used even before, so it may run late and in
 * several processes.
 * @param parts.databases the shared schema of each database of the service; one that fails or is slow delays no other
 */
export function expiredKeysSweep(
  service: string,
  { databases, logger }: { databases: readonly Queryable[]; logger: Pick<Logger, 'warn'> },
): ExpiredKeysSweep {
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
    start() {
      for (const task of tasks) task.start(0);
    },
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}
