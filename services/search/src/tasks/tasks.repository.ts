import { identifier, type Queryable } from '@quire/database';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

/**
 * `reconcile`: reconciles the index of a collection, repeatedly while it can be searched. `index`: indexes one entry
 * whose job failed.
 */
type TaskName = 'reconcile' | 'index';

const table = `${identifier(sharedSchema('search'))}.search_tasks`;
const leaseSeconds = 30;

/** `entryId` is empty except for `index`. A request resets `attempts`, which serve as the version. */
export const searchTasks = defineWorkTable<
  { tenantId: string; collectionId: string; task: TaskName; entryId: string },
  object
>({
  name: table,
  key: { tenantId: 'tenant_id', collectionId: 'collection_id', task: 'task', entryId: 'entry_id' },
  payload: {},
  version: 'attempts',
  leaseSeconds,
  backoff: exponentialBackoff({ initialSeconds: 2, maxSeconds: 60 }),
});

/** A task that a runner has claimed. */
export type ClaimedTask = ClaimOf<typeof searchTasks>;

/** The entries to index: users wait for them, so they do not wait for reconciliations. */
export const entryTasks = searchTasks.lane({ task: 'index' });

/** The indexes to reconcile: builds take long. */
export const reconcileTasks = searchTasks.lane({ task: 'reconcile' });

/** Schedules the reconciliation of a collection's index, now unless a delay is given. */
export function enqueueReconciliation(
  sql: Queryable,
  { id: tenantId }: Tenant,
  collectionId: string,
  options: { afterSeconds?: number } = {},
): Promise<void> {
  return searchTasks.enqueue(sql, [{ tenantId, collectionId, task: 'reconcile', entryId: '' }], options);
}

/** Schedules the reconciliation of the indexes of several collections, now. */
export function enqueueReconciliations(
  sql: Queryable,
  { id: tenantId }: Pick<Tenant, 'id'>,
  collectionIds: readonly string[],
): Promise<void> {
  const tasks = collectionIds.map((collectionId) => ({
    tenantId,
    collectionId,
    task: 'reconcile' as const,
    entryId: '',
  }));
  return searchTasks.enqueue(sql, tasks);
}

/** The state of the indexes of a searchable collection, see `IndexStates` of libs/search-engine. */
export interface CollectionState {
  tenantId: string;
  collectionId: string;
  state: string;
}

/** The states at the last inspection, of all collections with a task for reconciliation; null before the first. */
export function selectStates(
  sql: Queryable,
): Promise<(Omit<CollectionState, 'state'> & { state: string | null })[]> {
  return sql.query(
    `SELECT tenant_id AS "tenantId", collection_id AS "collectionId", index_state AS state
     FROM ${table} WHERE task = 'reconcile'`,
  );
}

/**
 * Stores states, and makes the reconciliation of these collections due now. One that has attempts runs or is repeated
 * soon: its state is not stored, so that the next inspection finds the difference again.
 * @returns the number of requested reconciliations
 */
export async function requestReconciliations(
  sql: Queryable,
  states: readonly CollectionState[],
): Promise<number> {
  const requested = await sql.query(
    `UPDATE ${table} w SET index_state = given.state, due_at = least(w.due_at, now())
     FROM json_to_recordset($1) AS given ("tenantId" text, "collectionId" text, state text)
     WHERE w.tenant_id = given."tenantId" AND w.collection_id = given."collectionId" AND w.task = 'reconcile'
       AND w.attempts = 0 RETURNING 1`,
    [JSON.stringify(states)],
  );
  return requested.length;
}

/** Ids of the collections of a site whose index is reconciled. */
export async function selectReconciled(sql: Queryable, tenantId: string): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `SELECT collection_id AS id FROM ${table} WHERE tenant_id = $1 AND task = 'reconcile'`,
    [tenantId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Deletes the tasks of a site, claimed or not. */
export async function deleteAllTasks(sql: Queryable, { id }: Tenant): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [id]);
}

/** Whether entries of a collection are pending after a failed job. */
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
 * Postpones the runner's next reconciliation while this process builds the index, unless it was requested again. The
 * process need not have claimed the task: requests and jobs build indexes too.
 */
export async function extendReconcileLease(
  sql: Queryable,
  tenantId: string,
  collectionId: string,
): Promise<void> {
  await sql.query(
    `UPDATE ${table} SET due_at = now() + make_interval(secs => $3)
     WHERE tenant_id = $1 AND collection_id = $2 AND task = 'reconcile' AND due_at > now()`,
    [tenantId, collectionId, leaseSeconds],
  );
}
