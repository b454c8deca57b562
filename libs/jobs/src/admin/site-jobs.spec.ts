import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, testStores } from '@quire/testing';
import { connectQueueBackend, UnrecoverableJobError, type QueueBackend } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { indexSearchEntry } from '../declare/jobs.js';
import { pausedSitesOf } from '../pause/pauses.fixture.js';
import { SiteJobs } from './site-jobs.js';

const quiet = () => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };

describe.each(['PostgreSQL', 'Redis'])('SiteJobs on %s', (store) => {
  const queue = `site-jobs-${process.pid}-${Date.now()}`;
  let backend: QueueBackend;
  let site: SiteJobs;
  beforeAll(async () => {
    const { databaseUrl, redisUrl } = testStores();
    backend = connectQueueBackend({
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      databaseUrl,
      namespace: 'site_jobs_tests',
      logger,
    });
    const jobs = [{ ...(indexSearchEntry as unknown as JobDeclaration), queue }];
    site = new SiteJobs(backend, pausedSitesOf([]), jobs, 0);
  });
  afterAll(() => backend.close());

  const { name, attempts, backoffMs, keepCompleted, keepFailed } = indexSearchEntry;
  const add = (tenantId: string, ids: string[], delayMs = 0) =>
    backend.queue(queue).addAll(
      ids.map((id) => ({
        name,
        id,
        data: { tenantId },
        delayMs,
        attempts,
        backoffMs,
        keepCompleted,
        keepFailed,
      })),
    );
  const empty = { queue, waiting: 0, active: 0, delayed: 0, failed: 0, isPaused: false, isComplete: true };

  it('has failed jobs of the site without their reason, and none of others', async () => {
    await add('acme', ['a1']);
    await add('globex', ['g1']);
    const run = async () => {
      throw new UnrecoverableJobError('no\n  index');
    };
    const worker = await backend.worker(queue, { concurrency: 1, lockSeconds: 30, maxStalls: 1 }, run);
    await eventuallyPasses(
      () => backend.admin(queue).state(),
      ({ failed }) => expect(failed).toBe(2),
    );
    await worker.stop(5);
    expect(await site.of('acme')).toEqual({
      queues: [{ ...empty, failed: 1 }],
      failed: [
        {
          id: 'a1',
          queue,
          job: name,
          attempts: 1,
          failedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect(await site.of('initech')).toEqual({ queues: [empty], failed: [] });
  });

  it('counts waiting, running and delayed jobs of the site', async () => {
    let end: () => void = quiet;
    const running = new Promise<void>((resolve) => (end = resolve));
    await add('acme', ['a2']);
    const worker = await backend.worker(
      queue,
      { concurrency: 1, lockSeconds: 30, maxStalls: 1 },
      () => running,
    );
    await eventuallyPasses(
      () => backend.admin(queue).state(),
      ({ active }) => expect(active).toBe(1),
    );
    await add('acme', ['a3', 'a4']);
    await add('acme', ['a5'], 60_000);
    await add('globex', ['g2']);
    const { queues } = await site.of('acme');
    expect(queues).toEqual([{ ...empty, failed: 1, waiting: 2, active: 1, delayed: 1 }]);
    expect((await site.of('globex')).queues).toEqual([{ ...empty, failed: 1, waiting: 1 }]);
    end();
    await worker.stop(5);
  });

  it('states that the jobs of the site are paused, or those of all sites', async () => {
    const pausedSites = pausedSitesOf([{ queue, tenantId: 'acme' }]);
    await pausedSites.start();
    const jobs = [{ ...(indexSearchEntry as unknown as JobDeclaration), queue }];
    const pausing = new SiteJobs(backend, pausedSites, jobs, 0);
    const isPaused = async () =>
      Promise.all(['acme', 'globex'].map(async (id) => (await pausing.of(id)).queues[0]?.isPaused));
    expect(await isPaused()).toEqual([true, false]);
    await backend.admin(queue).pause();
    expect(await isPaused()).toEqual([true, true]);
    await backend.admin(queue).resume();
    await pausedSites.stop();
  });

  it('reports that it has not read all jobs of a long queue', async () => {
    await backend.admin(queue).pause();
    await add(
      'globex',
      Array.from({ length: 501 }, (_, index) => `many-${index}`),
    );
    const [numbers] = (await site.of('acme')).queues;
    expect(numbers).toMatchObject({ isComplete: false });
    expect((await site.of('globex')).queues[0]?.waiting).toBeLessThanOrEqual(500);
  });

  it('shares a read between sites', async () => {
    let reads = 0;
    const counting = { admin: (of: string) => ((reads += 1), backend.admin(of)) };
    const jobs = [{ ...(indexSearchEntry as unknown as JobDeclaration), queue }];
    const shared = new SiteJobs(counting, pausedSitesOf([]), jobs, 60_000);
    await Promise.all([shared.of('acme'), shared.of('globex')]);
    await shared.of('initech');
    expect(reads).toBe(1);
  });
});
