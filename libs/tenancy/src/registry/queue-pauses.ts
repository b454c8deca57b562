import type { Queryable } from '@quire/database';

/** Every queue: the site is suspended or deleted. */
export const everyQueue = '*';

/** A queue in which the jobs of one site are paused. */
export interface QueuePause {
  /** Its name, or `everyQueue`. */
  queue: string;
  tenantId: string;
  /** ISO 8601. */
  pausedAt: string;
}

/** All pauses, by queue and site, with those of suspended and deleted sites. @param sql the registry's schema */
export function listQueuePauses(sql: Queryable): Promise<QueuePause[]> {
  return sql.query({
    prepared: true,
    text: `SELECT queue, tenant_id AS "tenantId", paused_at AS "pausedAt" FROM queue_pauses
     UNION ALL SELECT '${everyQueue}', id, least(suspended_at, deleted_at) FROM tenants
     WHERE suspended_at IS NOT NULL OR deleted_at IS NOT NULL
     ORDER BY 1, 2`,
  });
}

/**
 * Pauses the jobs of a site in a queue. Repeating it changes nothing.
 * @param sql the registry's schema
 * @returns false when there is no such site
 */
export async function insertQueuePause(sql: Queryable, queue: string, tenantId: string): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO queue_pauses (queue, tenant_id) SELECT $1, id FROM tenants WHERE id = $2
     ON CONFLICT (tenant_id, queue) DO UPDATE SET queue = excluded.queue RETURNING queue`,
    [queue, tenantId],
  );
  return rows.length > 0;
}

/** Ends the pause of a site in a queue, if there is one. @param sql the registry's schema */
export async function deleteQueuePause(sql: Queryable, queue: string, tenantId: string): Promise<void> {
  await sql.query('DELETE FROM queue_pauses WHERE queue = $1 AND tenant_id = $2', [queue, tenantId]);
}
