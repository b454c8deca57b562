import type { Context } from '@quire/context';
import { followSearchCollection, indexSearch, jobHandler } from '@quire/messages';
import { searchEntities, SearchJobs, taskSweep } from '@quire/search-service';
import type { Installation } from '../installation.js';
import { searchServices } from './search.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts what keeps the search fresh: the jobs of content's messages, and the sweep for what they and requests left behind. */
export async function startSearchWorker(installation: Installation): Promise<void> {
  const { logger, lifecycle } = installation;
  const databases = await installation.databases('search', searchEntities);
  const services = await searchServices(installation);
  const jobs = new SearchJobs(services, logger);
  const contextOf = await systemContexts(installation, { databases, actor: 'system:search' });
  await startJobs(installation, {
    target: 'search-worker',
    contextOf,
    handlers: [
      jobHandler(indexSearch, (ctx: Context, message) => jobs.indexEntry(ctx, message)),
      jobHandler(followSearchCollection, (ctx: Context, message) => jobs.followCollection(ctx, message)),
    ],
  });
  const shared = databases.keys.map((key) => databases.shared(key));
  const sweep = taskSweep({ databases: shared, services, contextOf, logger });
  sweep.start();
  lifecycle.started('search-sweep', () => sweep.stop());
}
