import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import type { Sweep } from '@quire/runtime';
import { WorkQueueRunner } from '@quire/work-queue';
import { reconcileIndex } from '../indexing/index.js';
import type { SearchDeps } from '../search-deps.js';
import { entryTasks, reconcileTasks, searchTasks, type ClaimedTask } from '../tasks/index.js';
import { secondsUntilDailyCheck } from './daily-check.js';
import { indexEntries } from './index-entries.js';

/** Time after which a check is repeated that could not decide whether the index is consistent. */
const repeatCheckSeconds = 300;
/** A build that takes longer continues with the next claim, so that other tasks have their turn. */
const buildTimeBudgetMs = 20_000;
/** Tasks of a kind that a process works on at a time, in each database. */
const concurrency = 4;

export interface SearchTaskRunnerDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  searchDeps: SearchDeps;
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * Completes the work of failed jobs and requests: interrupted builds, indexes that the engine lost, entries that could
 * not be indexed, collections whose message had no effect. Entries never wait for indexes.
 */
export function searchTaskRunner(deps: SearchTaskRunnerDeps): Sweep {
  const { databases, logger } = deps;
  const runnerOf = (lane: typeof entryTasks, batch: { batchSize?: number }) =>
    new WorkQueueRunner({
      databases,
      logger,
      table: lane,
      ...batch,
      concurrency,
      tenantOf: ({ tenantId }) => tenantId,
      serialKeyOf: ({ tenantId, collectionId }) => `${tenantId}/${collectionId}`,
      process: (sql, task) => processTask(sql, task, deps),
      failureMessage: 'search task rescheduled',
      fieldsOf: ({ tenantId, collectionId, entryId, attempts }) => ({
        tenant: tenantId,
        collectionId,
        entryId,
        attempts,
      }),
      failure: 'search task processing failed',
    });
  // Builds take long: a small batch ends within the lease.
  const runners = [runnerOf(entryTasks, {}), runnerOf(reconcileTasks, { batchSize: concurrency })];
  return {
    tasks: runners.flatMap(({ tasks }) => tasks),
    start: () => runners.forEach((runner) => runner.start()),
    stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))),
  };
}

async function processTask(sql: Queryable, task: ClaimedTask, deps: SearchTaskRunnerDeps): Promise<void> {
  const { searchDeps, contextOf } = deps;
  const { tenantId, collectionId, entryId } = task;
  const ctx = await contextOf(tenantId, `search-task:${collectionId}${entryId && `/${entryId}`}`);
  if (ctx && task.task === 'reconcile') return reconcile(sql, ctx, task, deps);
  if (ctx) await indexEntries(ctx, searchDeps, collectionId, [entryId]);
  await searchTasks.complete(sql, task);
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
  if (outcome === 'disabled' || outcome === 'deleted') return void (await searchTasks.complete(sql, task));
  if (outcome === 'unconfirmed')
    return void (await searchTasks.reschedule(sql, task, { afterSeconds: repeatCheckSeconds }));
  const afterSeconds = outcome === 'incomplete' ? 0 : secondsUntilDailyCheck(task, new Date());
  await searchTasks.reschedule(sql, task, { attempts: 0, afterSeconds });
}
