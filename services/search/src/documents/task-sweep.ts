import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import type { Logger } from '@quire/observability';
import { Sweep } from '@quire/runtime';
import { tendCollection } from '../building/index.js';
import type { SearchServices } from '../search-services.js';
import { claimTasks, forgetTask, repeatTask, retryTask, type ClaimedTask } from '../tasks/index.js';
import { indexEntries } from './index-entries.js';

/** How often an index that is well is looked at. */
const tendEverySeconds = 300;
/** A build that takes longer goes on with the next claim, so that other tasks have their turn. */
const buildWithinMs = 20_000;

export interface TaskSweepParts {
  /** The shared schema of each database of the service. */
  databases: readonly Sql[];
  services: SearchServices;
  /** A context of system work on a tenant, or undefined when the tenant is gone. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * Does what jobs and requests left behind: builds that were broken off, indexes that the engine lost, entries that could not be
 * indexed, collections whose message went astray. Several may run at once: each task is claimed by one of them.
 */
export function taskSweep(parts: TaskSweepParts): Sweep<ClaimedTask> {
  const { databases, logger } = parts;
  return new Sweep({
    databases,
    logger,
    claim: claimTasks,
    take: (sql, task) => take(sql, task, parts),
    putOff: retryTask,
    setback: 'a task of search is done later',
    fieldsOf: ({ tenantId, collectionId, entryId, attempts }) => ({
      tenant: tenantId,
      collectionId,
      entryId,
      attempts,
    }),
    failure: 'what is left to do for search cannot be done now',
  });
}

async function take(sql: Sql, task: ClaimedTask, parts: TaskSweepParts): Promise<void> {
  const { services, contextOf } = parts;
  const { tenantId, collectionId, entryId } = task;
  const ctx = await contextOf(tenantId, `search-task:${collectionId}${entryId && `/${entryId}`}`);
  if (!ctx) return forgetTask(sql, task);
  if (task.task === 'tend') return tend(sql, ctx, task, parts);
  await indexEntries(ctx, services, collectionId, [entryId]);
  await forgetTask(sql, task);
}

async function tend(
  sql: Sql,
  ctx: Context,
  task: ClaimedTask,
  { services, logger }: TaskSweepParts,
): Promise<void> {
  const { tenantId, collectionId } = task;
  const options = { withinMs: buildWithinMs, looksDeeper: true };
  const ending = await tendCollection(ctx, services, collectionId, options);
  if (ending === 'rebuilt') logger.info({ tenant: tenantId, collectionId }, 'an index was built anew');
  if (ending === 'off' || ending === 'deleted') await forgetTask(sql, task);
  else await repeatTask(sql, task, ending === 'unfinished' ? 0 : tendEverySeconds);
}
