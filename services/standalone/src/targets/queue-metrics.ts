import { observeQueues, type ObservedQueue } from '@quire/jobs';
import { memoizeFor } from '@quire/observability';
import type { ServiceDatabases } from '@quire/tenancy';
import { readBacklog, sumOfBacklogs, workName, type Backlog, type CountedTable } from '@quire/work-queue';
import type { AppContainer } from '../app-container.js';

/** Queues and tables are read at most once in this time, however often metrics are scraped. */
export const scrapeMs = 10_000;

/**
 * Reports the state of all queues, once for each process: a queue without a worker must be reported by others.
 */
export async function observeQueueStates(container: AppContainer): Promise<void> {
  await container.memoize('queue-metrics', async () => {
    const { metrics } = container;
    const backend = await container.queues();
    const pausedSites = await container.pausedSites();
    const read = memoizeFor(scrapeMs, () => observeQueues(backend));
    const ofEach = (
      name: 'oldest_seconds' | 'workers' | 'paused' | 'paused_sites',
      value: (queue: ObservedQueue) => number,
    ) =>
      metrics.gauges(`quire_queue_${name}`, async () =>
        (await read()).map((observed) => [{ queue: observed.queue }, value(observed)]),
      );
    metrics.gauges('quire_queue_jobs', async () =>
      (await read()).flatMap(({ queue, waiting, active, delayed, failed }) =>
        Object.entries({ waiting, active, delayed, failed }).map(
          ([state, count]) => [{ queue, state }, count] as const,
        ),
      ),
    );
    ofEach('oldest_seconds', ({ oldestSeconds }) => oldestSeconds);
    ofEach('workers', ({ workers }) => workers);
    ofEach('paused', ({ isPaused }) => Number(isPaused));
    ofEach('paused_sites', ({ queue }) => pausedSites.of(queue).size);
  });
}

/** Reports the background work that a service keeps in tables, once for all its targets of this process. */
export async function observeBacklog(
  container: AppContainer,
  databases: ServiceDatabases,
  tables: readonly CountedTable[],
): Promise<void> {
  await container.memoize(`backlog:${databases.service}`, () =>
    Promise.resolve(observeTables(container, databases, tables)),
  );
}

function observeTables(
  { metrics }: AppContainer,
  databases: ServiceDatabases,
  tables: readonly CountedTable[],
): void {
  const read = memoizeFor(scrapeMs, () =>
    Promise.all(
      tables.map(async (table): Promise<[work: string, backlog: Backlog]> => {
        const parts = databases.keys.map((key) => readBacklog(databases.shared(key), table));
        return [workName(table), sumOfBacklogs(await Promise.all(parts))];
      }),
    ),
  );
  metrics.gauges('quire_backlog_rows', async () =>
    (await read()).map(([work, { count }]) => [{ work }, count]),
  );
  metrics.gauges('quire_backlog_oldest_seconds', async () =>
    (await read()).map(([work, { oldestSeconds }]) => [{ work }, oldestSeconds]),
  );
}
