import { systemActor, type Context } from '@quire/context';
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
import { followMediaUsageCollection, indexMediaUsage, jobHandler, startWorkers } from '@quire/messages';
import type { Installation } from '../installation.js';

/** Starts the indexing of media usage: what content tells of its changes, and the sweeps for what was left. */
export async function startMediaWorker(installation: Installation): Promise<void> {
  const { logger, lifecycle, metrics, signer } = installation;
  const databases = await installation.databases('media', mediaEntities);
  const registry = await installation.registry();
  const content = installation.door('content');
  const services = new UsageServices(
    new ReferringContent(new ServiceQuestions(() => content, signer, 'media-usage')),
    logger,
  );
  const contextOf = async (tenantId: string, requestId: string): Promise<Context | undefined> => {
    const tenant = await registry.byId(tenantId);
    if (!tenant) return undefined;
    const principal = systemActor(tenant, 'system:media-usage');
    return { principal, requestId, clientAddress: null, origin: null, db: databases.tenant(tenant) };
  };
  const workers = await startWorkers({
    target: 'media-worker',
    backend: await installation.queues(),
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
    contextOf,
    logger,
    onEnd: ({ job, ending, seconds }) => metrics.jobs.observe({ job, ending }, seconds),
  });
  lifecycle.started('media-worker', () => workers.stop());
  const sweeps = usageSweeps({
    databases: databases.keys.map((key) => databases.shared(key)),
    services,
    contextOf,
    logger,
  });
  sweeps.start();
  lifecycle.started('usage-sweeps', () => sweeps.stop());
}
