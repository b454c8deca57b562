import { Relay, type Queue, type RelayBackendFactory, type Worker } from 'bullmq';
import {
  toBullMqWorkerOptions,
  processor,
  type BullMqProcessor,
  type BullMqWorkerOptions,
} from './bullmq-jobs.js';
import { createQueueCache } from './bullmq-queues.js';
import { createBullMqRelay } from './bullmq-relay.js';
import { throttledErrorLog } from './throttled-error-log.js';
import { logFactsOf } from './log-facts.js';
import type { JobWorker, ProcessRelay, QueueBackend, QueueLogger } from './queue-backend.js';
import { settlesBeforeTimeout } from './with-timeout.js';

/** The differences between BullMQ on PostgreSQL and BullMQ on Redis. */
export interface BullMqOptions<Connection> {
  kind: QueueBackend['kind'];
  namespace: string;
  logger: QueueLogger;
  openQueue(name: string): Queue;
  openWorker(name: string, options: BullMqWorkerOptions, run: BullMqProcessor): Worker;
  relay: { connection: Connection; backend: RelayBackendFactory<Connection> | undefined };
  ping(): Promise<void>;
  /** Closes other resources of these options than queues and workers. */
  close(): Promise<void>;
}

const relayBlockMs = 5_000;
const relayLeaseMs = 30_000;
/** BullMQ waits for an unreachable store before it closes a worker; a process that shuts down cannot. */
const closeWithinMs = 2_000;

/** BullMQ behind the port, on any store. */
export function createBullMqBackend<Connection>(backendOptions: BullMqOptions<Connection>): QueueBackend {
  const { logger, kind } = backendOptions;
  const store = `the queue store (${kind})`;
  const queues = createQueueCache(backendOptions.openQueue, throttledErrorLog(logger, store));
  const workers = new Set<Worker>();
  const relays = new Set<ProcessRelay>();
  return {
    kind,
    queue: (name) => queues.queue(name),
    admin: (name) => queues.admin(name, backendOptions.namespace),
    raw: (name) => queues.raw(name),
    async worker(name, options, run) {
      const { process, hasThrown } = processor(run);
      const worker = backendOptions.openWorker(
        name,
        toBullMqWorkerOptions(options, backendOptions.namespace),
        process,
      );
      worker.on('error', throttledErrorLog(logger, store));
      worker.on('stalled', (jobId) =>
        logger.warn({ queue: name, jobId }, 'job stalled: worker lost, job re-queued'),
      );
      worker.on('failed', (job, error) => {
        // The caller of the backend logs errors of its handlers.
        if (hasThrown(error)) return;
        const facts = logFactsOf(job?.data, job?.opts.telemetry?.metadata);
        logger.warn(
          { queue: name, job: job?.name, jobId: job?.id, ...facts, err: error },
          'job failed before it ran',
        );
      });
      workers.add(worker);
      try {
        await worker.waitUntilReady();
      } catch (error) {
        workers.delete(worker);
        worker.close(true).catch(() => undefined);
        throw error;
      }
      return jobWorker(worker, workers, logger);
    },
    async relay(name) {
      const relay = new Relay<Connection>({
        connection: backendOptions.relay.connection,
        ...(backendOptions.relay.backend ? { backend: backendOptions.relay.backend } : {}),
        prefix: backendOptions.namespace,
        namespace: backendOptions.namespace,
        name,
        blockTimeout: relayBlockMs,
        leaseDuration: relayLeaseMs,
      });
      const opened = await createBullMqRelay(relay, logger);
      relays.add(opened);
      return opened;
    },
    ping: () => backendOptions.ping(),
    async close() {
      await settlesBeforeTimeout(Promise.all([...workers].map((worker) => worker.close())), closeWithinMs);
      await settlesBeforeTimeout(Promise.all([...relays].map((relay) => relay.close())), closeWithinMs);
      await settlesBeforeTimeout(queues.close(), closeWithinMs);
      await backendOptions.close();
    },
  };
}

function jobWorker(worker: Worker, workers: Set<Worker>, logger: QueueLogger): JobWorker {
  return {
    async stop(withinSeconds) {
      if (await settlesBeforeTimeout(worker.close(), withinSeconds * 1000)) {
        workers.delete(worker);
        return;
      }
      // It remains in the list: closing the backend disconnects it.
      logger.warn(
        { queue: worker.name, withinSeconds },
        'worker stopped with running jobs: another worker will take them over',
      );
    },
  };
}
