import { identifier, type Queryable } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';

/**
 * `reconcile`: reconciles the index of a collection, repeatedly while it can be searched. `index`: indexes one entry
 * whose job failed.
 */
export type TaskName = 'reconcile' | 'index';

export interface Task {
  tenantId: string;
  collectionId: string;
  task: TaskName;
  /** Empty but for `index`. */
  entryId: string;
}

export interface ClaimedTask extends Task {
  attempts: number;
}

const table = `${identifier(sharedSchema('search'))}.search_tasks`;

/** How long other sweeps leave a claimed one alone; a worker that dies delays it by no more. */
const claimSeconds = 30;
const initialRetrySeconds = 2;
const maxRetrySeconds = 60;

/** Has something done, at the latest in so many seconds. */
export async function enqueueTask(
  sql: Queryable,
  { tenantId, collectionId, task, entryId }: Task,
  { afterSeconds = 0 }: { afterSeconds?: number } = {},
): Promise<void> {
  await sql.query(
    `INSERT INTO ${table} (tenant_id, collection_id, task, entry_id, due_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
     ON CONFLICT ON CONSTRAINT search_tasks_pkey DO UPDATE SET attempts = 0, due_at = least(search_tasks.due_at, excluded.due_at)`,
    [tenantId, collectionId, task, entryId, afterSeconds],
  );
}

/** Whether entries of a collection are to be indexed that could not be so far. */
export async function hasEntriesToIndex(
  sql: Queryable,
  tenantId: string,
  collectionId: string,
): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND task = 'index' LIMIT 1`,
    [tenantId, collectionId],
  );
  return rows.length > 0;
}

/**
 * Postpones the runner's next reconciliation while this process works on the collection, unless it was requested again.
 */
export async function extendReconcileLease(
  sql: Queryable,
  tenantId: string,
  collectionId: string,
): Promise<void> {
  await sql.query(
    `UPDATE ${table} SET due_at = now() + make_interval(secs => $3)
     WHERE tenant_id = $1 AND collection_id = $2 AND task = 'reconcile' AND due_at > now()`,
    [tenantId, collectionId, claimSeconds],
  );
}

/** Takes on what is due, oldest first. Runs in the service's shared schema. */
export async function claimTasks(sql: Queryable, limit: number): Promise<ClaimedTask[]> {
  return sql.query<ClaimedTask>(
    `UPDATE ${table} t SET attempts = t.attempts + 1, due_at = now() + make_interval(secs => $2)
     FROM (SELECT ctid FROM ${table} WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) due
     WHERE t.ctid = due.ctid
     RETURNING t.tenant_id AS "tenantId", t.collection_id AS "collectionId", t.task, t.entry_id AS "entryId", t.attempts`,
    [limit, claimSeconds],
  );
}

/** Tries what failed again, later each time. */
export async function retryTask(sql: Queryable, task: ClaimedTask): Promise<void> {
  const seconds = initialRetrySeconds * 2 ** Math.min(10, task.attempts - 1);
  await reschedule(sql, task, { attempts: task.attempts, afterSeconds: Math.min(maxRetrySeconds, seconds) });
}

/** Does a task that succeeded once more, in so many seconds. */
export async function scheduleNextRun(
  sql: Queryable,
  task: ClaimedTask,
  afterSeconds: number,
): Promise<void> {
  await reschedule(sql, task, { attempts: 0, afterSeconds });
}

/** Leaves a task alone for a while, unless it was asked for anew meanwhile: then it is due as that says. */
async function reschedule(
  sql: Queryable,
  { tenantId, collectionId, task, entryId, attempts: claimed }: ClaimedTask,
  { attempts, afterSeconds }: { attempts: number; afterSeconds: number },
): Promise<void> {
  await sql.query(
    `UPDATE ${table} SET attempts = $6, due_at = now() + make_interval(secs => $7)
     WHERE tenant_id = $1 AND collection_id = $2 AND task = $3 AND entry_id = $4 AND attempts = $5`,
    [tenantId, collectionId, task, entryId, claimed, attempts, afterSeconds],
  );
}

/** Forgets a task that is done, unless it was asked for anew meanwhile. */
export async function deleteTask(
  sql: Queryable,
  { tenantId, collectionId, task, entryId, attempts }: ClaimedTask,
): Promise<void> {
  await sql.query(
    `DELETE FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND task = $3 AND entry_id = $4 AND attempts = $5`,
    [tenantId, collectionId, task, entryId, attempts],
  );
}
