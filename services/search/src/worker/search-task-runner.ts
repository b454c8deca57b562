import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/runtime';
import { reconcileIndex } from '../indexing/index.js';
import type { SearchDeps } from '../search-deps.js';
import { claimTasks, deleteTask, scheduleNextRun, retryTask, type ClaimedTask } from '../tasks/index.js';
import { indexEntries } from './index-entries.js';

/** How often an index that is well is looked at. */
const reconcileIntervalSeconds = 300;
/** A build that takes longer goes on with the next claim, so that other tasks have their turn. */
const buildTimeBudgetMs = 20_000;

export interface SearchTaskRunnerDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  searchDeps: SearchDeps;
  /** A context of system work on a tenant, or undefined when the tenant is gone. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * Does what jobs and requests left behind: builds that were broken off, indexes that the engine lost, entries that
 * could not be indexed, collections whose message went astray. Several may run at once: each task is claimed by one of
 * them.
 */
export function searchTaskRunner(deps: SearchTaskRunnerDeps): WorkQueueRunner<ClaimedTask> {
  const { databases, logger } = deps;
  return new WorkQueueRunner({
    databases,
    logger,
    claim: claimTasks,
    take: (sql, task) => take(sql, task, deps),
    reschedule: retryTask,
    failureMessage: 'search task rescheduled',
    fieldsOf: ({ tenantId, collectionId, entryId, attempts }) => ({
      tenant: tenantId,
      collectionId,
      entryId,
      attempts,
    }),
    failure: 'search task processing failed',
  });
}

async function take(sql: Queryable, task: ClaimedTask, deps: SearchTaskRunnerDeps): Promise<void> {
  const { searchDeps, contextOf } = deps;
  const { tenantId, collectionId, entryId } = task;
  const ctx = await contextOf(tenantId, `search-task:${collectionId}${entryId && `/${entryId}`}`);
  if (!ctx) return deleteTask(sql, task);
  if (task.task === 'reconcile') return reconcile(sql, ctx, task, deps);
  await indexEntries(ctx, searchDeps, collectionId, [entryId]);
  await deleteTask(sql, task);
}

async function reconcile(
  sql: Queryable,
  ctx: Context,
  task: ClaimedTask,
  { searchDeps, logger }: SearchTaskRunnerDeps,
): Promise<void> {
  const { tenantId, collectionId } = task;
  const options = { timeBudgetMs: buildTimeBudgetMs, isFullCheck: true };
  const outcome = await reconcileIndex(ctx, searchDeps, collectionId, options);
  if (outcome === 'rebuilt') logger.info({ tenant: tenantId, collectionId }, 'search index rebuilt');
  if (outcome === 'disabled' || outcome === 'deleted') await deleteTask(sql, task);
  else await scheduleNextRun(sql, task, outcome === 'incomplete' ? 0 : reconcileIntervalSeconds);
}
