import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { QueueBackend } from '../queue-backend.js';
import { freshName, job, oneWorker, until, type StoreUnderTest } from './cases.js';
import { createStoreProxy, type StoreProxy } from '@quire/testing';

/** Maximum time of adding while connections are refused, with room for a busy machine. */
const refusedWithinMs = 2_500;
/** The same while the store accepts connections and does not respond. */
const silentWithinMs = 7_000;
/** The process has little more time before it is killed (libs/runtime). */
const closedWithinMs = 7_000;

/** The requirements on every store of the queue port during and after an outage. */
export function storeOutageConformance(store: string, { url, open }: StoreUnderTest): void {
  describe(`the queue backend while ${store} is down`, () => {
    let proxy: StoreProxy;
    let backend: QueueBackend;
    beforeEach(async () => {
      proxy = await createStoreProxy(url());
      backend = open(proxy.url);
    });
    afterEach(async () => {
      await proxy.restore();
      await backend.close();
      await proxy.disconnect();
    });

    const add = (queue: string, id: string) => backend.queue(queue).addAll([job(id)]);
    const canAdd = async (queue: string, id: string) => {
      try {
        await add(queue, id);
        return true;
      } catch {
        return false;
      }
    };
    async function rejection(adding: Promise<void>): Promise<number> {
      const startedAt = Date.now();
      await expect(adding).rejects.toThrow();
      return Date.now() - startedAt;
    }

    it('rejects adding immediately, and adds again afterwards, also when it is down at the first use', async () => {
      const queue = freshName();
      await proxy.disconnect();
      expect(await rejection(add(queue, 'a'))).toBeLessThan(refusedWithinMs);
      await wait(1_500);
      expect(await rejection(add(queue, 'a'))).toBeLessThan(refusedWithinMs);
      await proxy.restore();
      await until(() => canAdd(queue, 'a'));
      expect(await backend.queue(queue).counts()).toMatchObject({ waiting: 1 });
    });

    it('rejects adding and a ping immediately, and recovers, when it goes down later', async () => {
      const queue = freshName();
      await add(queue, 'before');
      await proxy.disconnect();
      expect(await rejection(add(queue, 'after'))).toBeLessThan(refusedWithinMs);
      expect(await rejection(backend.ping())).toBeLessThan(refusedWithinMs);
      await proxy.restore();
      await until(() => canAdd(queue, 'after'));
      await until(() =>
        backend.ping().then(
          () => true,
          () => false,
        ),
      );
      expect(await backend.queue(queue).counts()).toMatchObject({ waiting: 2 });
    });

    it('does not hang on a store that accepts connections and does not respond', async () => {
      const queue = freshName();
      await add(queue, 'before');
      proxy.stall();
      expect(await rejection(add(queue, 'after'))).toBeLessThan(silentWithinMs);
      await proxy.restore();
      await until(() => canAdd(queue, 'after'));
    });

    it('runs jobs again afterwards', async () => {
      const queue = freshName();
      const seen: string[] = [];
      await backend.worker(queue, oneWorker, async ({ id }) => seen.push(id));
      await add(queue, 'before');
      await until(() => seen.length === 1);
      await proxy.disconnect();
      await wait(500);
      await proxy.restore();
      await until(() => canAdd(queue, 'after'));
      await until(() => seen.includes('after'));
      // A job whose end the store did not record before the outage runs again: at least once.
      expect([...new Set(seen)]).toEqual(['before', 'after']);
    });

    it('closes, also with workers and subscriptions', async () => {
      const closing = open(proxy.url);
      const queue = freshName();
      await closing.queue(queue).addAll([job('a', { delayMs: 60_000 })]);
      await closing.worker(queue, oneWorker, async () => undefined);
      await closing.relay('closing');
      await proxy.disconnect();
      await wait(300);
      const startedAt = Date.now();
      await closing.close();
      expect(Date.now() - startedAt).toBeLessThan(closedWithinMs);
    });

    it('reports a gap to subscribers of the relay, and relays again afterwards', async () => {
      const healthy = open(url());
      const sender = await healthy.relay('sender');
      const receiver = await backend.relay('receiver');
      const topic = freshName();
      const heard: unknown[] = [];
      let gaps = 0;
      receiver.onReconnect(() => (gaps += 1));
      await receiver.subscribe(`${topic}.*`, (data) => heard.push(data));
      sender.publish(`${topic}.one`, { n: 1 });
      await until(() => heard.length === 1);
      await proxy.disconnect();
      await until(() => gaps > 0);
      // Into a closed proxy: no more than a log line.
      receiver.publish(`${topic}.lost`, { n: 0 });
      await wait(500);
      await proxy.restore();
      await until(() => {
        sender.publish(`${topic}.two`, { n: 2 });
        return heard.some((data) => (data as { n: number }).n === 2);
      });
      await healthy.close();
    });
  });
}
