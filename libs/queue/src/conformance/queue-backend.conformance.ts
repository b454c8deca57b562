import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  UnrecoverableJobError,
  type JobWorker,
  type NewJob,
  type QueueBackend,
  type RunningJob,
} from '../port/queue-backend.js';

let count = 0;
/** A queue that no other case uses. */
const freshQueue = () => `case-${process.pid}-${(count += 1)}`;

const oneWorker = { concurrency: 1, lockSeconds: 5, maximumStalls: 1 };

function job(id: string, options: Partial<NewJob> = {}): NewJob {
  return {
    name: 'work',
    id,
    data: { id },
    delayMs: 0,
    attempts: 1,
    backoffMs: 50,
    keepCompleted: 100,
    keepFailed: 100,
    ...options,
  };
}

async function until(isSo: () => boolean | Promise<boolean>, withinMs = 8_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not happen in time');
    await wait(20);
  }
}

/** What every store of the queue port must do. */
export function queueBackendConformance(store: string, open: () => QueueBackend): void {
  describe(`the queue backend on ${store}`, () => {
    let backend: QueueBackend;
    let other: QueueBackend;
    const workers: JobWorker[] = [];
    beforeAll(() => {
      backend = open();
      other = open();
    });
    afterEach(async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    });
    afterAll(() => Promise.all([backend.close(), other.close()]));

    const work = async (
      queue: string,
      run: (job: RunningJob) => Promise<unknown>,
      options = oneWorker,
      on = backend,
    ) => {
      workers.push(await on.worker(queue, options, run));
    };

    it('runs what was added, with its name, id and data', async () => {
      const queue = freshQueue();
      const seen: RunningJob[] = [];
      await work(queue, async (running) => seen.push(running));
      await backend.queue(queue).addAll([job('a', { data: { deep: [1, { x: 'ü' }] } })]);
      await until(() => seen.length === 1);
      expect(seen[0]).toEqual({ id: 'a', name: 'work', data: { deep: [1, { x: 'ü' }] }, attempt: 1 });
    });

    it('adds a job once, however often its id is added', async () => {
      const queue = freshQueue();
      const seen: string[] = [];
      await backend.queue(queue).addAll([job('same'), job('other')]);
      await backend.queue(queue).addAll([job('same')]);
      await work(queue, async ({ id }) => seen.push(id));
      await until(() => seen.length >= 2);
      await backend.queue(queue).addAll([job('same')]);
      await wait(300);
      expect(seen.sort()).toEqual(['other', 'same']);
    });

    it('keeps a delayed job until its time', async () => {
      const queue = freshQueue();
      let ranAt = 0;
      await work(queue, async () => (ranAt = Date.now()));
      const addedAt = Date.now();
      await backend.queue(queue).addAll([job('later', { delayMs: 700 })]);
      await until(() => ranAt > 0);
      expect(ranAt - addedAt).toBeGreaterThanOrEqual(650);
      expect(ranAt - addedAt).toBeLessThan(2_500);
    });

    it('tries a failing job as often as it may, and then counts it as failed', async () => {
      const queue = freshQueue();
      const attempts: number[] = [];
      await work(queue, async ({ attempt }) => {
        attempts.push(attempt);
        throw new Error('no');
      });
      await backend.queue(queue).addAll([job('bad', { attempts: 3 })]);
      await until(async () => (await backend.queue(queue).counts())['failed'] === 1);
      expect(attempts).toEqual([1, 2, 3]);
    });

    it('does not try again what no attempt will help', async () => {
      const queue = freshQueue();
      let runs = 0;
      await work(queue, async () => {
        runs += 1;
        throw new UnrecoverableJobError('never');
      });
      await backend.queue(queue).addAll([job('hopeless', { attempts: 5 })]);
      await until(async () => (await backend.queue(queue).counts())['failed'] === 1);
      await wait(200);
      expect(runs).toBe(1);
    });

    it('gives each job to one of several workers', async () => {
      const queue = freshQueue();
      const seen: string[] = [];
      const options = { ...oneWorker, concurrency: 5 };
      await work(queue, async ({ id }) => seen.push(id), options, backend);
      await work(queue, async ({ id }) => seen.push(id), options, other);
      await backend.queue(queue).addAll(Array.from({ length: 200 }, (_, index) => job(`job-${index}`)));
      await until(() => seen.length >= 200);
      await wait(300);
      expect(seen).toHaveLength(200);
      expect(new Set(seen).size).toBe(200);
    });

    it('lets a stopping worker finish what it runs', async () => {
      const queue = freshQueue();
      let isDone = false;
      let isRunning = false;
      const worker = await backend.worker(queue, oneWorker, async () => {
        isRunning = true;
        await wait(500);
        isDone = true;
      });
      await backend.queue(queue).addAll([job('slow')]);
      await until(() => isRunning);
      await worker.stop();
      expect(isDone).toBe(true);
    });

    it('relays a message to every process that listens, and to no other topic', async () => {
      const sender = await backend.relay('sender');
      const receiver = await other.relay('receiver');
      const topic = `topic${process.pid}x${(count += 1)}`;
      const heard: unknown[] = [];
      await sender.subscribe(`${topic}.*`, (data) => heard.push(['sender', data]));
      await receiver.subscribe(`${topic}.*`, (data) => heard.push(['receiver', data]));
      await receiver.subscribe('elsewhere.*', (data) => heard.push(['elsewhere', data]));
      sender.publish(`${topic}.one`, { n: 1 });
      await until(() => heard.length >= 2);
      await wait(200);
      await Promise.all([sender.close(), receiver.close()]);
      expect(heard.sort()).toEqual([
        ['receiver', { n: 1 }],
        ['sender', { n: 1 }],
      ]);
    });

    it('answers a ping', async () => {
      await expect(backend.ping()).resolves.toBeUndefined();
    });
  });
}

/** A store that is not there must be noticed at once by who adds, not after minutes. */
export function deadStoreConformance(store: string, open: () => QueueBackend): void {
  describe(`the queue backend while ${store} is down`, () => {
    it('refuses to add within a few seconds instead of hanging', async () => {
      const backend = open();
      const startedAt = Date.now();
      await expect(backend.queue('down').addAll([job('a')])).rejects.toThrow();
      expect(Date.now() - startedAt).toBeLessThan(5_000);
      await backend.close().catch(() => undefined);
    });
  });
}
