import {
  contentEntities,
  Definitions,
  EntryServices,
  Locales,
  MediaDirectory,
  overdue,
  publishScheduledEntryJob,
  scheduleSweep,
  SlugRedirects,
  UserDirectory,
} from '@quire/content-service';
import type { Context } from '@quire/context';
import { ServiceQuestions } from '@quire/http-server';
import { expiredKeysSweep } from '@quire/idempotency';
import { jobHandler, publishScheduledEntry } from '@quire/messages';
import type { Installation } from '../installation.js';
import { startDispatcher } from './dispatcher.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts scheduled publishing: the delayed jobs, and the sweep for what they missed. */
export async function startContentWorker(installation: Installation): Promise<void> {
  const { logger, lifecycle, metrics, site } = installation;
  const databases = await installation.databases('content', contentEntities);
  const relay = await installation.relay();
  const definitions = new Definitions();
  await relay.onDrop('schema', (tenantId) => definitions.drop(tenantId));
  relay.onGap(() => definitions.drop());
  // Publishing asks nothing of other services.
  const questions = (service: 'media' | 'auth') =>
    new ServiceQuestions(() => installation.door(service, { isNeeded: false }), 'content');
  const services = new EntryServices(
    definitions,
    new Locales(site),
    await startDispatcher(installation, databases),
    new SlugRedirects(),
    new MediaDirectory(questions('media')),
    new UserDirectory(questions('auth')),
  );
  const contextOf = await systemContexts(installation, { databases, actor: 'system:scheduled-publishing' });
  await startJobs(installation, {
    target: 'content-worker',
    contextOf,
    handlers: [
      jobHandler(publishScheduledEntry, (ctx: Context, message) =>
        publishScheduledEntryJob(ctx, services, message),
      ),
    ],
  });
  const shared = databases.keys.map((key) => databases.shared(key));
  const sweep = scheduleSweep({ databases: shared, services, contextOf, logger });
  sweep.start();
  lifecycle.started('schedule-sweep', () => sweep.stop());
  const expiredKeys = expiredKeysSweep('content', { databases: shared, logger });
  expiredKeys.start(0);
  lifecycle.started('expired-keys-sweep', () => expiredKeys.stop());
  const late = async () => Promise.all(shared.map(overdue));
  metrics.gauge('quire_schedules_overdue', 'Scheduled publications that are late', async () =>
    (await late()).reduce((sum, { count }) => sum + count, 0),
  );
  metrics.gauge('quire_schedules_overdue_seconds', 'By how much the latest of them is late', async () =>
    Math.max(0, ...(await late()).map(({ oldestSeconds }) => oldestSeconds)),
  );
}
