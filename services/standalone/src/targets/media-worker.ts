import type { Context } from '@quire/context';
import { InternalApiClient } from '@quire/service-client';
import {
  syncCollection,
  deleteCollectionUsage,
  indexChangedEntry,
  ContentReferencesClient,
  UsageDeps,
  usageRunners,
} from '@quire/media-service';
import { syncMediaUsageCollection, indexMediaUsageEntry, jobHandler } from '@quire/jobs';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { startSweep } from './sweeps.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts the indexing of media usage: the jobs of content changes, and the sweeps for missed ones. */
export async function startMediaWorker(container: AppContainer, databases: ServiceDatabases): Promise<void> {
  const { logger } = container;
  const content = container.upstream('content');
  const usageDeps = new UsageDeps(
    new ContentReferencesClient(
      new InternalApiClient({ upstream: () => content, caller: 'media', actor: 'system:media-usage' }),
    ),
    logger,
  );
  const contextOf = await systemContexts(container, { databases, actor: 'system:media-usage' });
  await startJobs(container, {
    target: 'media-worker',
    contextOf,
    handlers: [
      // A repeated or late run is harmless: the job reads the current state of the entry.
      jobHandler(indexMediaUsageEntry, (ctx: Context, { collectionId, collection, entryId }) =>
        indexChangedEntry(ctx, usageDeps, { collectionId, collectionSlug: collection, contentId: entryId }),
      ),
      // Harmless too: the job reads the current state of existing collections.
      jobHandler(
        syncMediaUsageCollection,
        (ctx: Context, { collectionId, collection, deleted }): Promise<'recorded' | 'deleted'> => {
          const changed = { id: collectionId, slug: collection };
          return deleted
            ? deleteCollectionUsage(ctx, usageDeps, changed)
            : syncCollection(ctx, usageDeps, changed);
        },
      ),
    ],
  });
  const { entries, deletions, rebuilds } = usageRunners({
    databases: databases.keys.map((key) => databases.shared(key)),
    usageDeps,
    contextOf,
    logger,
  });
  startSweep(container, 'usage_work', entries);
  startSweep(container, 'usage_deletions', deletions);
  startSweep(container, 'usage_rebuilds', rebuilds);
}
