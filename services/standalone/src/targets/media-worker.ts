import type { Context } from '@quire/context';
import { ServiceQuestions } from '@quire/http-server';
import {
  followCollection,
  forgetCollection,
  indexChangedEntry,
  mediaEntities,
  ReferringContent,
  UsageServices,
  usageSweeps,
} from '@quire/media-service';
import { followMediaUsageCollection, indexMediaUsage, jobHandler } from '@quire/messages';
import type { Installation } from '../installation.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts the indexing of media usage: what content tells of its changes, and the sweeps for what was left. */
export async function startMediaWorker(installation: Installation): Promise<void> {
  const { logger, lifecycle } = installation;
  const databases = await installation.databases('media', mediaEntities);
  const content = installation.door('content');
  const services = new UsageServices(
    new ReferringContent(new ServiceQuestions(() => content, 'media', 'system:media-usage')),
    logger,
  );
  const contextOf = await systemContexts(installation, { databases, actor: 'system:media-usage' });
  await startJobs(installation, {
    target: 'media-worker',
    contextOf,
    handlers: [
      // Twice or late is harmless: the entry is read as it is now.
      jobHandler(indexMediaUsage, (ctx: Context, { collectionId, collection, entryId }) =>
        indexChangedEntry(ctx, services, { collectionId, collectionSlug: collection, contentId: entryId }),
      ),
      // So is this: ids of collections do not come again, and the others are read as they are now.
      jobHandler(
        followMediaUsageCollection,
        (ctx: Context, { collectionId, collection, deleted }): Promise<'noted' | 'deleted'> => {
          const changed = { id: collectionId, slug: collection };
          return deleted
            ? forgetCollection(ctx, services, changed)
            : followCollection(ctx, services, changed);
        },
      ),
    ],
  });
  const sweeps = usageSweeps({
    databases: databases.keys.map((key) => databases.shared(key)),
    services,
    contextOf,
    logger,
  });
  sweeps.start();
  lifecycle.started('usage-sweeps', () => sweeps.stop());
}
