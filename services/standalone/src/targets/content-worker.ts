import {
  Definitions,
  EntryDeps,
  EntryLimit,
  SiteLocales,
  MediaClient,
  countOverdueSchedules,
  deletionsRunner,
  publishScheduledEntryJob,
  missedSchedulesRunner,
  SlugRedirects,
  AuthClient,
} from '@quire/content-service';
import type { Context } from '@quire/context';
import { InternalApiClient } from '@quire/service-client';
import { expiredKeysSweep } from '@quire/idempotency';
import { jobHandler, publishScheduledEntry } from '@quire/jobs';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { startDispatcher } from './dispatcher.js';
import { startSweep } from './sweeps.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts scheduled publishing: the delayed jobs, and the sweep for missed ones. Starts the steps of deletions. */
export async function startContentWorker(
  container: AppContainer,
  databases: ServiceDatabases,
): Promise<void> {
  const { logger, metrics, site } = container;
  const relay = await container.relay();
  const definitions = new Definitions();
  await relay.onInvalidate('schema', (tenantId) => definitions.invalidate(tenantId));
  relay.onReconnect(() => definitions.invalidate());
  const clientOf = (service: 'media' | 'auth') =>
    new InternalApiClient({
      upstream: () => container.upstream(service),
      caller: 'content',
    });
  const entryDeps = new EntryDeps(
    definitions,
    new SiteLocales(site),
    await startDispatcher(container, databases),
    new SlugRedirects(),
    new MediaClient(clientOf('media')),
    new AuthClient(clientOf('auth')),
    new EntryLimit(),
  );
  const lateness = metrics.histogram('quire_schedule_lateness_seconds');
  const publication = {
    entryDeps,
    registry: await container.registry(),
    onPublished: (lateSeconds: number) => lateness.observe({}, lateSeconds),
  };
  const contextOf = await systemContexts(container, { databases, actor: 'system:scheduled-publishing' });
  await startJobs(container, {
    target: 'content-worker',
    contextOf,
    handlers: [
      jobHandler(publishScheduledEntry, (ctx: Context, message) =>
        publishScheduledEntryJob(ctx, publication, message),
      ),
    ],
  });
  const shared = databases.keys.map((key) => databases.shared(key));
  const sweep = missedSchedulesRunner({ databases: shared, publication, contextOf, logger });
  startSweep(container, 'schedules', sweep);
  const deletions = deletionsRunner({
    databases: shared,
    contextOf: await systemContexts(container, { databases, actor: 'system:deletions' }),
    logger,
  });
  startSweep(container, 'deletion_work', deletions);
  const expiredKeys = expiredKeysSweep('content', { databases: shared, logger });
  startSweep(container, 'content_idempotency_keys', expiredKeys);
  const late = async () => {
    const suspendedIds = await publication.registry.suspendedIds();
    return Promise.all(shared.map((sql) => countOverdueSchedules(sql, suspendedIds)));
  };
  metrics.gauge('quire_scheduled_entries_overdue', {}, async () =>
    (await late()).reduce((sum, { count }) => sum + count, 0),
  );
  metrics.gauge('quire_scheduled_entries_overdue_max_age_seconds', {}, async () =>
    Math.max(0, ...(await late()).map(({ oldestSeconds }) => oldestSeconds)),
  );
}
