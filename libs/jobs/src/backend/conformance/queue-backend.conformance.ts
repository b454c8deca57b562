import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  PostponedJobError,
  UnrecoverableJobError,
  type JobWorker,
  type QueueBackend,
  type RunningJob,
} from '../queue-backend.js';
import { freshName, job, oneWorker, stopWithinSeconds, until, type StoreUnderTest } from './cases.js';
import { createStoreProxy } from '@quire/testing';

/** The requirements on every store of the queue port. */
export function queueBackendConformance(store: string, { url, open }: StoreUnderTest): void {
  describe(`the queue backend on ${store}`, () => {
    let backend: QueueBackend;
    let other: QueueBackend;
    const workers: JobWorker[] = [];
    beforeAll(() => {
      backend = open(url());
      other = open(url());
    });
    afterEach(async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop(stopWithinSeconds)));
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

    it('counts the jobs that have ended, also those that are not retained', async () => {
      const queue = freshName();
      const admin = backend.admin(queue);
      expect(await admin.finished()).toBe(0);
      await work(queue, async ({ id, attempt }) => {
        if (id === 'b' && attempt < 3) throw new Error('not yet');
        if (id === 'c') throw new UnrecoverableJobError('wrong');
      });
      await backend
        .queue(queue)
        .addAll([job('a', { keepCompleted: 0 }), job('b', { attempts: 3 }), job('c')]);
      await until(async () => (await admin.finished()) === 3);
      expect(await admin.state()).toMatchObject({ waiting: 0, active: 0, delayed: 0, failed: 1 });
    });

    it('runs an added job, with its name, id, data and trace', async () => {
      const queue = freshName();
      const seen: RunningJob[] = [];
      const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      await work(queue, async (running) => seen.push(running));
      await backend.queue(queue).addAll([job('a', { data: { deep: [1, { x: 'ü' }] }, trace })]);
      await until(() => seen.length === 1);
      const data = { deep: [1, { x: 'ü' }] };
      expect(seen[0]).toEqual({ id: 'a', name: 'work', data, trace, dueAt: expect.any(Date), attempt: 1 });
    });

    it('states since when a job waits: its message, its addition, or the end of its delay', async () => {
      const queue = freshName();
      const seen = new Map<string, number>();
      const added = Date.now();
      await backend
        .queue(queue)
        .addAll([
          job('message', { waitingSince: new Date(added - 90_000) }),
          job('addition'),
          job('delay', { delayMs: 700, waitingSince: new Date(added - 90_000) }),
        ]);
      const addedWithinMs = Date.now() - added;
      await work(queue, async ({ id, dueAt }) => seen.set(id, dueAt.getTime() - added));
      await until(() => seen.size === 3);
      expect(seen.get('message')).toBe(-90_000);
      expect(seen.get('addition')).toBeGreaterThanOrEqual(0);
      expect(seen.get('addition')).toBeLessThanOrEqual(addedWithinMs);
      expect(seen.get('delay')).toBeGreaterThanOrEqual(700);
    });

    it('adds a job with the same id once', async () => {
      const queue = freshName();
      const seen: string[] = [];
      await backend.queue(queue).addAll([job('same'), job('other')]);
      await backend.queue(queue).addAll([job('same')]);
      await work(queue, async ({ id }) => seen.push(id));
      await until(() => seen.length >= 2);
      await backend.queue(queue).addAll([job('same')]);
      await wait(300);
      expect(seen.sort()).toEqual(['other', 'same']);
    });

    it('retains the last completed jobs, and the last failed ones', async () => {
      const queue = freshName();
      const seen: string[] = [];
      await work(queue, async ({ id }) => {
        seen.push(id);
        if (id.startsWith('bad')) throw new Error('no');
      });
      const add = (ids: string[]) =>
        backend.queue(queue).addAll(ids.map((id) => job(id, { keepCompleted: 2, keepFailed: 1 })));
      const ids = ['good-1', 'good-2', 'good-3', 'bad-1', 'bad-2'];
      await add(ids);
      await until(async () => {
        const { active, failed } = await backend.queue(queue).counts();
        return seen.length === 5 && active === 0 && failed === 1;
      });
      await add(ids);
      await until(() => seen.length >= 7);
      await wait(200);
      expect(seen).toEqual([...ids, 'good-1', 'bad-1']);
    });

    it('runs a delayed job at its time', async () => {
      const queue = freshName();
      let ranAt = 0;
      await work(queue, async () => (ranAt = Date.now()));
      const addedAt = Date.now();
      await backend.queue(queue).addAll([job('later', { delayMs: 700 })]);
      await until(() => ranAt > 0);
      expect(ranAt - addedAt).toBeGreaterThanOrEqual(650);
      expect(ranAt - addedAt).toBeLessThan(2_500);
    });

    it('retries a failing job up to its attempts, and then counts it as failed', async () => {
      const queue = freshName();
      const attempts: number[] = [];
      await work(queue, async ({ attempt }) => {
        attempts.push(attempt);
        throw new Error('no');
      });
      await backend.queue(queue).addAll([job('bad', { attempts: 3 })]);
      await until(async () => (await backend.queue(queue).counts())['failed'] === 1);
      expect(attempts).toEqual([1, 2, 3]);
    });

    it('does not retry an unrecoverable error', async () => {
      const queue = freshName();
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

    it('runs a postponed job again after the delay, without using an attempt', async () => {
      const queue = freshName();
      const attempts: number[] = [];
      await work(queue, async ({ attempt }) => {
        attempts.push(attempt);
        if (attempts.length < 4) throw new PostponedJobError('not yet', 100);
      });
      await backend.queue(queue).addAll([job('early', { attempts: 1 })]);
      await until(
        async () => (await backend.queue(queue).counts())['delayed'] === 0 && attempts.length === 4,
      );
      expect(attempts).toEqual([1, 1, 1, 1]);
      expect(await backend.queue(queue).counts()).toMatchObject({ failed: 0 });
    });

    it('runs a postponed job at once when it is promoted, without using an attempt', async () => {
      const queue = freshName();
      const attempts: number[] = [];
      await work(queue, async ({ attempt }) => {
        attempts.push(attempt);
        if (attempts.length === 1) throw new PostponedJobError('not yet', 600_000);
      });
      await backend.queue(queue).addAll([job('early', { attempts: 1 })]);
      await until(async () => (await backend.queue(queue).counts())['delayed'] === 1);
      expect(await backend.admin(queue).promote('early')).toBe(true);
      await until(() => attempts.length === 2);
      expect(attempts).toEqual([1, 1]);
      expect(await backend.admin(queue).promote('early')).toBe(false);
    });

    it('runs each job in one of several workers', async () => {
      const queue = freshName();
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

    it('lets a stopping worker finish its job', async () => {
      const queue = freshName();
      let isDone = false;
      let isRunning = false;
      const worker = await backend.worker(queue, oneWorker, async () => {
        isRunning = true;
        await wait(500);
        isDone = true;
      });
      await backend.queue(queue).addAll([job('slow')]);
      await until(() => isRunning);
      await worker.stop(stopWithinSeconds);
      expect(isDone).toBe(true);
    });

    it('relays a message to every subscriber of its topic, and to no other', async () => {
      const sender = await backend.relay('sender');
      const receiver = await other.relay('receiver');
      const topic = freshName();
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

    it('stops a worker within its time limit', async () => {
      const queue = freshName();
      let isRunning = false;
      let finish = () => {};
      const finished = new Promise<void>((done) => (finish = done));
      const worker = await backend.worker(queue, oneWorker, async () => {
        isRunning = true;
        await finished;
      });
      await backend.queue(queue).addAll([job('endless')]);
      await until(() => isRunning);
      const startedAt = Date.now();
      await worker.stop(0.3);
      expect(Date.now() - startedAt).toBeLessThan(1_500);
      finish();
    });

    it('moves a job to another worker when its own one does not renew the lock', async () => {
      const queue = freshName();
      const options = { concurrency: 1, lockSeconds: 1, maxStalls: 1 };
      const proxy = await createStoreProxy(url());
      const lost = open(proxy.url);
      let isTaken = false;
      let finish = () => {};
      const finished = new Promise<void>((done) => (finish = done));
      await lost.worker(queue, options, async () => {
        isTaken = true;
        await finished;
      });
      await backend.queue(queue).addAll([job('orphan')]);
      await until(() => isTaken);
      await proxy.disconnect();
      const seen: string[] = [];
      await work(queue, async ({ id }) => seen.push(id), options);
      await until(() => seen.length === 1);
      expect(seen).toEqual(['orphan']);
      await proxy.restore();
      finish();
      await lost.close();
      await proxy.disconnect();
    });

    it('adds all jobs of a call, and counts them', async () => {
      const queue = backend.queue(freshName());
      await queue.addAll([
        ...Array.from({ length: 300 }, (_, index) => job(`now-${index}`)),
        job('later', { delayMs: 60_000 }),
      ]);
      expect(await queue.counts()).toMatchObject({ waiting: 300, delayed: 1, active: 0, failed: 0 });
    });

    it('doubles the delay before each further attempt', async () => {
      const queue = freshName();
      const ranAt: number[] = [];
      await work(queue, async () => {
        ranAt.push(Date.now());
        throw new Error('no');
      });
      await backend.queue(queue).addAll([job('bad', { attempts: 3, backoffMs: 200 })]);
      await until(() => ranAt.length === 3);
      const [first = 0, second = 0, third = 0] = ranAt;
      expect(second - first).toBeGreaterThanOrEqual(180);
      expect(third - second).toBeGreaterThanOrEqual(380);
    });

    it('closes open queues and workers', async () => {
      const closing = open(url());
      const queue = freshName();
      await closing.queue(queue).addAll([job('a', { delayMs: 60_000 })]);
      await closing.worker(queue, oneWorker, async () => undefined);
      await closing.relay('closing');
      await closing.ping();
      await expect(closing.close()).resolves.toBeUndefined();
    });

    it('responds to a ping', async () => {
      await expect(backend.ping()).resolves.toBeUndefined();
    });
  });
}
