import type { Queryable } from '@quire/database';

/** A publication that a sweep has taken on. */
export interface ClaimedSchedule {
  tenantId: string;
  entryId: string;
  collection: string;
  dueAt: string;
  attempts: number;
}

/** The delayed job has this long before a sweep takes over. */
const gracePeriodMs = 1_000;
/** How long other sweeps leave a claimed one alone; a worker that dies delays it by no more. */
const claimSeconds = 10;
/** Soon at first: what stands in the way may be an outage of a moment. */
const initialRetrySeconds = 10;
const maxRetrySeconds = 3600;

/** Takes on what is due and was missed, oldest first. Statements run in the service's shared schema. */
export async function claimDueSchedules(sql: Queryable, limit: number): Promise<ClaimedSchedule[]> {
  return sql.query<ClaimedSchedule>(
    `UPDATE schedules s SET attempts = s.attempts + 1, due_at = now() + make_interval(secs => $2)
     FROM (
       SELECT tenant_id, entry_id FROM schedules
       WHERE due_at <= now() - make_interval(secs => $3)
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ) due
     WHERE s.tenant_id = due.tenant_id AND s.entry_id = due.entry_id
     RETURNING s.tenant_id AS "tenantId", s.entry_id AS "entryId", s.collection, s.scheduled_at AS "dueAt", s.attempts`,
    [limit, claimSeconds, gracePeriodMs / 1000],
  );
}

/** Forgets a schedule, unless it was set anew meanwhile. */
export async function deleteSchedule(
  sql: Queryable,
  { tenantId, entryId, dueAt }: Pick<ClaimedSchedule, 'tenantId' | 'entryId' | 'dueAt'>,
): Promise<void> {
  await sql.query('DELETE FROM schedules WHERE tenant_id = $1 AND entry_id = $2 AND scheduled_at = $3', [
    tenantId,
    entryId,
    dueAt,
  ]);
}

/** Puts off an entry that could not be published, for whatever reason, longer each time. */
export async function reschedule(
  sql: Queryable,
  { tenantId, entryId, dueAt, attempts }: ClaimedSchedule,
): Promise<void> {
  const seconds = Math.min(maxRetrySeconds, initialRetrySeconds * 2 ** Math.min(10, attempts - 1));
  await sql.query(
    'UPDATE schedules SET due_at = now() + make_interval(secs => $4) WHERE tenant_id = $1 AND entry_id = $2 AND scheduled_at = $3',
    [tenantId, entryId, dueAt, seconds],
  );
}

/** How many publications are late, and by how many seconds the oldest. */
export async function countOverdueSchedules(
  sql: Queryable,
): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await sql.query<{ count: number; oldestSeconds: number }>(
    `SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(scheduled_at)), 0)::double precision AS "oldestSeconds"
     FROM schedules WHERE scheduled_at < now() - make_interval(secs => $1)`,
    [gracePeriodMs / 1000],
  );
  return row ?? { count: 0, oldestSeconds: 0 };
}
