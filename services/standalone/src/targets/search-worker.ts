import { systemActor, type Context } from '@quire/context';
import { followSearchCollection, indexSearch, jobHandler, startWorkers } from '@quire/messages';
import { searchEntities, SearchJobs, taskSweep } from '@quire/search-service';
import type { Installation } from '../installation.js';
import { searchServices } from './search.js';

/** Starts what keeps the search fresh: the jobs of content's messages, and the sweep for what they and requests left behind. */
export async function startSearchWorker(installation: Installation): Promise<void> {
  const { logger, lifecycle, metrics } = installation;
  const databases = await installation.databases('search', searchEntities);
  const registry = await installation.registry();
  const services = await searchServices(installation);
  const jobs = new SearchJobs(services, logger);
  const contextOf = async (tenantId: string, requestId: string): Promise<Context | undefined> => {
    const tenant = await registry.byId(tenantId);
    if (!tenant) return undefined;
    const principal = systemActor(tenant, 'system:search');
    return { principal, requestId, clientAddress: null, origin: null, db: databases.tenant(tenant) };
  };
  const workers = await startWorkers({
    target: 'search-worker',
    backend: await installation.queues(),
    handlers: [
      jobHandler(indexSearch, (ctx: Context, message) => jobs.indexEntry(ctx, message)),
      jobHandler(followSearchCollection, (ctx: Context, message) => jobs.followCollection(ctx, message)),
    ],
    contextOf,
    logger,
    onEnd: ({ job, ending, seconds }) => metrics.jobs.observe({ job, ending }, seconds),
  });
  lifecycle.started('search-worker', () => workers.stop());
  const shared = databases.keys.map((key) => databases.shared(key));
  const sweep = taskSweep({ databases: shared, services, contextOf, logger });
  sweep.start();
  lifecycle.started('search-sweep', () => sweep.stop());
}
