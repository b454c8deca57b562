import { systemActor, type Context } from '@quire/context';
import { startWorkers, type JobHandler } from '@quire/messages';
import type { ServiceDatabases } from '@quire/tenancy';
import type { Installation } from '../installation.js';

/** Gives the context of the installation's own work on a site, or undefined when the site is gone. */
export type SystemContexts = (tenantId: string, requestId: string) => Promise<Context | undefined>;

/** @param options.actor in whose name the work is done: "system:search" */
export async function systemContexts(
  installation: Installation,
  { databases, actor }: { databases: ServiceDatabases; actor: `system:${string}` },
): Promise<SystemContexts> {
  const registry = await installation.registry();
  return async (tenantId, requestId) => {
    const tenant = await registry.byId(tenantId);
    if (!tenant) return undefined;
    const principal = systemActor(tenant, actor);
    return { principal, requestId, clientAddress: null, origin: null, db: databases.tenant(tenant) };
  };
}

/** Runs the jobs of a target until the process stops. */
export async function startJobs(
  installation: Installation,
  {
    target,
    handlers,
    contextOf,
  }: { target: string; handlers: readonly JobHandler<Context>[]; contextOf: SystemContexts },
): Promise<void> {
  const { logger, lifecycle, metrics } = installation;
  const workers = await startWorkers({
    target,
    backend: await installation.queues(),
    handlers,
    contextOf,
    logger,
    onEnd: ({ job, ending, seconds }) => metrics.jobs.observe({ job, ending }, seconds),
  });
  lifecycle.started(target, () => workers.stop());
}
