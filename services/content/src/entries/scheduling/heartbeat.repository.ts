import type { Queryable } from '@quire/database';

/** Each worker sweeps every two seconds; fewer writes suffice. */
const writtenEverySeconds = 5;
/** Without a completed sweep for longer, the runner is stuck or no worker runs. */
const staleAfterSeconds = 60;

/** Records the end of a sweep. Runs in the service's shared schema. */
export async function writeHeartbeat(sql: Queryable): Promise<void> {
  await sql.query({
    prepared: true,
    text: `UPDATE scheduler_heartbeat SET completed_at = now()
     WHERE completed_at IS NULL OR completed_at < now() - make_interval(secs => $1)`,
    values: [writtenEverySeconds],
  });
}

/** Whether missed publications are processed. `unknown`: there was no sweep yet. */
export interface SchedulerHealth {
  status: 'healthy' | 'stale' | 'unknown';
  lastCompletedAt: string | null;
}

/** The health of scheduled publishing in a database. Runs in the service's shared schema, which is no site's. */
export async function schedulerHealth(sql: Queryable): Promise<SchedulerHealth> {
  const [row] = await sql.query<{ lastCompletedAt: string | null; isFresh: boolean | null }>(
    `SELECT completed_at AS "lastCompletedAt", completed_at > now() - make_interval(secs => $1) AS "isFresh"
     FROM scheduler_heartbeat`,
    [staleAfterSeconds],
  );
  const lastCompletedAt = row?.lastCompletedAt ?? null;
  if (lastCompletedAt === null) return { status: 'unknown', lastCompletedAt };
  return { status: row?.isFresh ? 'healthy' : 'stale', lastCompletedAt };
}
