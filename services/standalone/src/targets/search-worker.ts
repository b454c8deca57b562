import type { Context } from '@quire/context';
import { enableSearchOfCollection, syncSearchCollection, indexSearchEntry, jobHandler } from '@quire/jobs';
import { indexInspectionRunner, SearchJobs, searchTaskRunner } from '@quire/search-service';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { createSearchDeps } from './search.js';
import { startSweep } from './sweeps.js';
import { startJobs, systemContexts } from './worker.js';

/**
 * Starts the jobs that index content changes, the runner of the search tasks that jobs and requests leave, and the
 * inspections of the engine's indexes.
 */
export async function startSearchWorker(container: AppContainer, databases: ServiceDatabases): Promise<void> {
  const { logger } = container;
  const searchDeps = await createSearchDeps(container);
  const jobs = new SearchJobs(searchDeps, logger);
  const contextOf = await systemContexts(container, { databases, actor: 'system:search' });
  await startJobs(container, {
    target: 'search-worker',
    contextOf,
    handlers: [
      jobHandler(indexSearchEntry, (ctx: Context, message) => jobs.indexEntry(ctx, message)),
      jobHandler(syncSearchCollection, (ctx: Context, message) => jobs.syncCollection(ctx, message)),
      jobHandler(enableSearchOfCollection, (ctx: Context, message) => jobs.enableCollection(ctx, message)),
    ],
  });
  const shared = databases.keys.map((key) => databases.shared(key));
  const tasks = searchTaskRunner({ databases: shared, searchDeps, contextOf, logger });
  startSweep(container, 'search_tasks', tasks);
  const inspections = indexInspectionRunner({ databases: shared, searchDeps, logger });
  startSweep(container, 'index_inspections', inspections);
}
