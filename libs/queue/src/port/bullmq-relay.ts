import type { Relay } from 'bullmq';
import { outageLog } from './outage-log.js';
import type { ProcessRelay, QueueLogger } from './queue-backend.js';

const resubscribeMs = 2_000;

/**
 * BullMQ's Relay behind the port. Messages of a topic that were sent while this process was cut off are gone; whenever
 * that may have happened, `onGap` says so.
 */
export async function bullRelay<Connection>(
  relay: Relay<Connection>,
  logger: QueueLogger,
): Promise<ProcessRelay> {
  const gapListeners = new Set<() => void>();
  const complain = outageLog(logger, 'the relay');
  let hadError = false;
  let isClosed = false;
  const gap = () => {
    for (const listener of gapListeners) listener();
  };
  relay.on('error', (error: Error) => {
    if (isClosed) return;
    complain(error);
    // What arrives while nobody listens is lost: caches are dropped at once, and again when messages flow again.
    if (!hadError) gap();
    hadError = true;
  });
  relay.on('recovered', () => {
    hadError = false;
    gap();
  });
  relay.on('lag', gap);
  await relay.waitUntilReady();
  return {
    publish(topic, data) {
      relay.publish(topic, data).catch(complain);
    },
    async subscribe(pattern, listener) {
      const receive = ({ data }: { data: unknown }) => {
        hadError = false;
        listener(data);
      };
      const subscribe = async (): Promise<void> => {
        await relay.subscribe(pattern, receive);
      };
      await subscribe().catch((error: unknown) => {
        complain(error);
        const retry = setInterval(() => {
          if (isClosed) return clearInterval(retry);
          void subscribe().then(
            () => {
              clearInterval(retry);
              gap();
            },
            () => undefined,
          );
        }, resubscribeMs);
        retry.unref();
      });
    },
    onGap: (listener) => void gapListeners.add(listener),
    async close() {
      isClosed = true;
      await relay.close();
    },
  };
}
