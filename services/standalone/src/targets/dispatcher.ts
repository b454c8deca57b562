import { OutboxDispatcher } from '@quire/messages';
import type { ServiceDatabases } from '@quire/tenancy';
import type { Installation } from '../installation.js';

/** Starts what moves a service's outbox, in each of its databases, to the queues; once in a process, for all its targets. */
export function startDispatcher(
  installation: Installation,
  databases: ServiceDatabases,
): Promise<OutboxDispatcher> {
  return installation.once(`dispatcher:${databases.service}`, () => openDispatcher(installation, databases));
}

async function openDispatcher(
  installation: Installation,
  databases: ServiceDatabases,
): Promise<OutboxDispatcher> {
  const { logger, lifecycle, metrics } = installation;
  const dispatcher = new OutboxDispatcher({
    databases: databases.keys.map((key) => databases.shared(key)),
    backend: await installation.queues(),
    logger,
  });
  dispatcher.start();
  lifecycle.started(`dispatcher:${databases.service}`, () => dispatcher.stop());
  metrics.gauge(`quire_${databases.service}_outbox_pending`, 'Messages that wait in the outbox', () =>
    dispatcher.pending(),
  );
  return dispatcher;
}
