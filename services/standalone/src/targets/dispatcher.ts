import { OutboxDispatcher } from '@quire/jobs';
import { memoizeFor } from '@quire/observability';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { observeQueueStates, scrapeMs } from './queue-metrics.js';

/**
 * Starts the dispatcher that moves the outbox of a service, in each of its databases, to the queues. It starts once per
 * process, for all targets of the service.
 */
export function startDispatcher(
  container: AppContainer,
  databases: ServiceDatabases,
): Promise<OutboxDispatcher> {
  return container.memoize(`dispatcher:${databases.service}`, () => openDispatcher(container, databases));
}

async function openDispatcher(
  container: AppContainer,
  databases: ServiceDatabases,
): Promise<OutboxDispatcher> {
  const { logger, lifecycle, metrics } = container;
  const labels = { service: databases.service };
  const dispatched = metrics.counter('quire_outbox_dispatched_messages_total');
  // A series that begins with its first message has no increase.
  dispatched.increment(labels, 0);
  const dispatcher = new OutboxDispatcher({
    databases: databases.keys.map((key) => databases.shared(key)),
    backend: await container.queues(),
    pausedSites: await container.pausedSites(),
    logger,
    onDispatched: (messages) => dispatched.increment(labels, messages),
  });
  dispatcher.start();
  lifecycle.onShutdown(`dispatcher:${databases.service}`, () => dispatcher.stop());
  const byQueue = memoizeFor(scrapeMs, () => dispatcher.countsByQueue());
  metrics.gauges('quire_outbox_messages', async () =>
    (await byQueue()).map(({ queue, pending }) => [{ ...labels, queue }, pending]),
  );
  metrics.gauges('quire_outbox_oldest_seconds', async () =>
    (await byQueue()).map(({ queue, oldestSeconds }) => [{ ...labels, queue }, oldestSeconds]),
  );
  const counts = memoizeFor(scrapeMs, () => dispatcher.counts());
  metrics.gauge('quire_outbox_failed_messages', labels, async () => (await counts()).failed);
  await observeQueueStates(container);
  return dispatcher;
}
