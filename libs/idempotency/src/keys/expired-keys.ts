import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask } from '@quire/runtime';
import { idempotencyKeysTable, retentionInterval } from './idempotency-keys.tables.js';

const everyMs = 600_000;
const batchSize = 1_000;

/**
 * Deletes the expired responses of a service. Expired responses are not used even before, so it may run late and in
 * several processes.
 * @param parts.databases the shared schema of each database of the service
 */
export function expiredKeysSweep(
  service: string,
  { databases, logger }: { databases: readonly Queryable[]; logger: Pick<Logger, 'warn'> },
): IntervalTask {
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
  return new IntervalTask({
    work: async (isStopping) => {
      for (const sql of databases) await deleteExpired(sql, isStopping);
    },
    everyMs,
    failure: 'deletion of expired idempotency keys failed',
    logger,
  });
}
