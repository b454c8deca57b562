import { setTimeout as wait } from 'node:timers/promises';
import type { Relay } from 'bullmq';
import { throttledErrorLog } from './throttled-error-log.js';
import type { ProcessRelay, QueueLogger } from './queue-backend.js';

const resubscribeMs = 2_000;

/**
 * BullMQ's Relay behind the port. Messages of a topic that were sent while this process was disconnected are lost;
 * `onReconnect` reports every such gap.
 */
export async function createBullMqRelay<Connection>(
  relay: Relay<Connection>,
  logger: QueueLogger,
): Promise<ProcessRelay> {
  const gapListeners = new Set<() => void>();
  const logError = throttledErrorLog(logger, 'the relay');
  let hadError = false;
  let isClosed = false;
  const gap = () => {
    for (const listener of gapListeners) listener();
  };
  relay.on('error', (error: Error) => {
    if (isClosed) return;
    logError(error);
    // Messages during a lost subscription are lost: caches are invalidated immediately, and again after the
    // reconnection.
    if (!hadError) gap();
    hadError = true;
  });
  relay.on('recovered', () => {
    hadError = false;
    gap();
  });
  relay.on('lag', gap);
  await relay.waitUntilReady();
  /** One attempt after the other: two successful ones would call the listener twice for each message. */
  const subscribeLater = async (pattern: string, receive: (message: { data: unknown }) => void) => {
    while (!isClosed) {
      await wait(resubscribeMs, undefined, { ref: false });
      try {
        if (!isClosed) await relay.subscribe(pattern, receive);
        return gap();
      } catch {
        // The outage was logged when it began.
      }
    }
  };
  return {
    publish(topic, data) {
      relay.publish(topic, data).catch(logError);
    },
    async subscribe(pattern, listener) {
      const receive = ({ data }: { data: unknown }) => {
        hadError = false;
        listener(data);
      };
      try {
        await relay.subscribe(pattern, receive);
      } catch (error) {
        logError(error);
        void subscribeLater(pattern, receive);
      }
    },
    onReconnect: (listener) => void gapListeners.add(listener),
    async close() {
      isClosed = true;
      await relay.close();
    },
  };
}
