import { systemActor, type Context } from '@quire/context';
import { PostponedJobError, startWorkers, type JobHandler } from '@quire/jobs';
import type { ServiceDatabases } from '@quire/tenancy';
import { PostponedWorkError } from '@quire/work-queue';
import type { AppContainer } from '../app-container.js';

/** Time until the work of a suspended or deleted site is looked at again. */
const suspendedSeconds = 30;
/** Time until the work of a site that moves to another database is looked at again. */
const movingSeconds = 5;

/** Creates the context of system work on a site; undefined if the site has been deleted. */
export type SystemContexts = (
  tenantId: string,
  requestId: string,
  trace?: string,
) => Promise<Context | undefined>;

/**
 * @returns a function that creates contexts; it throws PostponedWorkError for a suspended or deleted site, and for one
 *   that moves
 * @param options.actor actor of the work in the audit log: "system:search"
 */
export async function systemContexts(
  container: AppContainer,
  { databases, actor }: { databases: ServiceDatabases; actor: `system:${string}` },
): Promise<SystemContexts> {
  const registry = await container.registry();
  return async (tenantId, requestId, trace) => {
    const tenant = await registry.byId(tenantId);
    if (!tenant) return undefined;
    if (await registry.isSuspended(tenantId))
      throw new PostponedWorkError('The site is suspended or deleted', suspendedSeconds);
    if (await registry.isMoving(tenantId)) throw new PostponedWorkError('The site is moving', movingSeconds);
    const principal = systemActor(tenant, actor);
    return {
      principal,
      requestId,
      clientAddress: null,
      origin: null,
      trace,
      db: databases.tenant(tenant, trace),
    };
  };
}

/** A worker may take a job of a suspended site before its jobs are paused, and one of a site that moves. */
function postponeJob(error: unknown): never {
  if (error instanceof PostponedWorkError)
    throw new PostponedJobError(error.message, error.afterSeconds * 1000);
  throw error;
}

/** Runs the jobs of a target until the process stops. */
export async function startJobs(
  container: AppContainer,
  {
    target,
    handlers,
    contextOf,
  }: { target: string; handlers: readonly JobHandler<Context>[]; contextOf: SystemContexts },
): Promise<void> {
  const { logger, lifecycle, metrics } = container;
  const durations = metrics.histogram('quire_job_duration_seconds');
  const waits = metrics.histogram('quire_job_wait_seconds');
  const exhausted = metrics.counter('quire_jobs_exhausted_total');
  const workers = await startWorkers({
    target,
    backend: await container.queues(),
    pausedSites: await container.pausedSites(),
    handlers,
    contextOf: (...call) => contextOf(...call).catch(postponeJob),
    logger,
    onJobEnd: ({ job, outcome, waitSeconds, seconds, isExhausted }) => {
      if (waitSeconds !== undefined) waits.observe({ job }, waitSeconds);
      durations.observe({ job, outcome }, seconds);
      if (isExhausted) exhausted.increment({ job });
    },
  });
  lifecycle.onShutdown(target, () => workers.stop());
}
