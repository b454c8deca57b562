import {
  contentEntities,
  Definitions,
  EntryServices,
  Locales,
  overdue,
  publishScheduledEntryJob,
  scheduleSweep,
  SlugRedirects,
} from '@quire/content-service';
import { systemActor, type Context } from '@quire/context';
import { jobHandler, publishScheduledEntry, startWorkers } from '@quire/messages';
import type { Installation } from '../installation.js';
import { startDispatcher } from './dispatcher.js';

/** Starts scheduled publishing: the delayed jobs, and the sweep for what they missed. */
export async function startContentWorker(installation: Installation): Promise<void> {
  const { logger, lifecycle, metrics, site } = installation;
  const databases = await installation.databases('content', contentEntities);
  const registry = await installation.registry();
  const relay = await installation.relay();
  const definitions = new Definitions();
  await relay.onDrop('schema', (tenantId) => definitions.drop(tenantId));
  relay.onGap(() => definitions.drop());
  const services = new EntryServices(
    definitions,
    new Locales(site),
    await startDispatcher(installation, databases),
    new SlugRedirects(),
  );
  const contextOf = async (tenantId: string, requestId: string): Promise<Context | undefined> => {
    const tenant = await registry.byId(tenantId);
    if (!tenant) return undefined;
    const principal = systemActor(tenant, 'system:scheduled-publishing');
    return { principal, requestId, clientAddress: null, origin: null, db: databases.tenant(tenant) };
  };
  const workers = await startWorkers({
    target: 'content-worker',
    backend: await installation.queues(),
    handlers: [
      jobHandler(publishScheduledEntry, (ctx: Context, message) =>
        publishScheduledEntryJob(ctx, services, message),
      ),
    ],
    contextOf,
    logger,
    onEnd: ({ job, ending, seconds }) => metrics.jobs.observe({ job, ending }, seconds),
  });
  lifecycle.started('content-worker', () => workers.stop());
  const shared = databases.keys.map((key) => databases.shared(key));
  const sweep = scheduleSweep({ databases: shared, services, contextOf, logger });
  sweep.start();
  lifecycle.started('schedule-sweep', () => sweep.stop());
  const late = async () => Promise.all(shared.map(overdue));
  metrics.gauge('quire_schedules_overdue', 'Scheduled publications that are late', async () =>
    (await late()).reduce((sum, { count }) => sum + count, 0),
  );
  metrics.gauge('quire_schedules_overdue_seconds', 'By how much the latest of them is late', async () =>
    Math.max(0, ...(await late()).map(({ oldestSeconds }) => oldestSeconds)),
  );
}
