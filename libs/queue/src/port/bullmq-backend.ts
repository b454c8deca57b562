import { Relay, type Queue, type RelayBackendFactory, type Worker } from 'bullmq';
import { bullOptions, processor, type BullProcessor, type BullWorkerOptions } from './bullmq-jobs.js';
import { keptQueues } from './bullmq-queues.js';
import { bullRelay } from './bullmq-relay.js';
import { outageLog } from './outage-log.js';
import type { JobWorker, ProcessRelay, QueueBackend, QueueLogger } from './queue-backend.js';
import { settlesWithin } from './within.js';

/** What differs between BullMQ on PostgreSQL and BullMQ on Redis. */
export interface BullParts<Connection> {
  kind: QueueBackend['kind'];
  namespace: string;
  logger: QueueLogger;
  openQueue(name: string): Queue;
  openWorker(name: string, options: BullWorkerOptions, run: BullProcessor): Worker;
  relay: { connection: Connection; backend: RelayBackendFactory<Connection> | undefined };
  ping(): Promise<void>;
  /** Closes what the parts opened beside queues and workers. */
  close(): Promise<void>;
}

const relayBlockMs = 5_000;
const relayLeaseMs = 30_000;
/** BullMQ waits for a store that is down before it closes a worker; a process that has to end does not. */
const closeWithinMs = 2_000;

/** BullMQ behind the port, whatever it stores its data in. */
export function bullBackend<Connection>(parts: BullParts<Connection>): QueueBackend {
  const { logger, kind } = parts;
  const store = `the queue store (${kind})`;
  const queues = keptQueues(parts.openQueue, outageLog(logger, store));
  const workers = new Set<Worker>();
  const relays = new Set<ProcessRelay>();
  return {
    kind,
    queue: (name) => queues.queue(name),
    async worker(name, options, run) {
      const { process, hasThrown } = processor(run);
      const worker = parts.openWorker(name, bullOptions(options), process);
      worker.on('error', outageLog(logger, store));
      worker.on('stalled', (jobId) =>
        logger.warn({ queue: name, jobId }, 'a job was taken back from a worker that is not heard of'),
      );
      worker.on('failed', (job, error) => {
        // What a handler threw is logged by whoever wrote the handler.
        if (hasThrown(error)) return;
        logger.warn(
          { queue: name, job: job?.name, jobId: job?.id, err: error },
          'a job failed without a run',
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
        connection: parts.relay.connection,
        ...(parts.relay.backend ? { backend: parts.relay.backend } : {}),
        prefix: parts.namespace,
        namespace: parts.namespace,
        name,
        blockTimeout: relayBlockMs,
        leaseDuration: relayLeaseMs,
      });
      const opened = await bullRelay(relay, logger);
      relays.add(opened);
      return opened;
    },
    ping: () => parts.ping(),
    async close() {
      await settlesWithin(Promise.all([...workers].map((worker) => worker.close())), closeWithinMs);
      await settlesWithin(Promise.all([...relays].map((relay) => relay.close())), closeWithinMs);
      await settlesWithin(queues.close(), closeWithinMs);
      await parts.close();
    },
  };
}

function jobWorker(worker: Worker, workers: Set<Worker>, logger: QueueLogger): JobWorker {
  return {
    async stop(withinSeconds) {
      if (await settlesWithin(worker.close(), withinSeconds * 1000)) {
        workers.delete(worker);
        return;
      }
      // It stays among the workers: closing the backend disconnects it.
      logger.warn(
        { queue: worker.name, withinSeconds },
        'jobs still run; they stall and are taken by another worker',
      );
    },
  };
}
