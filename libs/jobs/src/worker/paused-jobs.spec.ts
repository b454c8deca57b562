import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, testStores } from '@quire/testing';
import { connectQueueBackend, type QueueBackend } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { indexSearchEntry } from '../declare/jobs.js';
import { pausedSitesOf } from '../pause/pauses.fixture.js';
import type { PausedSites } from '../pause/paused-sites.js';
import { jobHandler, startWorkers, type JobResult } from './start-workers.js';

const quiet = () => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };
/** A case that waited for the end of a postponement would exceed its time. */
const longMs = 600_000;
let count = 0;

describe.each(['PostgreSQL', 'Redis'])('jobs of a paused site that are in the queue on %s', (store) => {
  let backend: QueueBackend;
  let declared: JobDeclaration;
  let pauses: { queue: string; tenantId: string }[];
  let ends: JobResult[];
  const running: { stop: () => Promise<void> }[] = [];
  beforeAll(() => {
    const { databaseUrl, redisUrl } = testStores();
    backend = connectQueueBackend({
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      databaseUrl,
      namespace: 'paused_tests',
      logger,
    });
  });
  beforeEach(() => {
    const queue = `paused-${process.pid}-${Date.now()}-${(count += 1)}`;
    declared = { ...indexSearchEntry, queue } as unknown as JobDeclaration;
    pauses = [{ queue, tenantId: 'acme' }];
    ends = [];
  });
  afterEach(async () => {
    for (const part of running.splice(0).reverse()) await part.stop();
  });
  afterAll(() => backend.close());

  async function startWorker(postponeMs: number): Promise<PausedSites> {
    const pausedSites = pausedSitesOf(pauses);
    await pausedSites.start();
    running.push(pausedSites);
    const jobs = [declared];
    running.push(
      await startWorkers({
        target: 'search-worker',
        backend,
        pausedSites,
        jobs,
        handlers: jobs.map((job) => jobHandler(job, async () => 'indexed')),
        contextOf: async (tenant) => ({ tenant }),
        logger,
        postponeMs,
        onJobEnd: (end) => ends.push(end),
      }),
    );
    return pausedSites;
  }
  const add = (tenantId: string, id: string) =>
    backend.queue(declared.queue).addAll([
      {
        name: declared.name,
        id,
        data: { tenantId, collection: 'posts', collectionId: 'c', entryId: 'e' },
        delayMs: 0,
        // A used attempt would make it fail.
        attempts: 1,
        backoffMs: 50,
        keepCompleted: 10,
        keepFailed: 10,
      },
    ]);
  const counts = () => backend.queue(declared.queue).counts();
  const outcomesOf = (id: string) => ends.filter((end) => end.id === id).map(({ outcome }) => outcome);
  const runs = (id: string, waitMs?: number) =>
    eventuallyPasses(
      async () => outcomesOf(id),
      (outcomes) => expect(outcomes.at(-1)).toBe('indexed'),
      waitMs,
    );

  it('are postponed while those of other sites run, and run when it resumes', async () => {
    await startWorker(longMs);
    await add('acme', 'a');
    await add('globex', 'g');
    await runs('g');
    await eventuallyPasses(counts, (present) => expect(present).toMatchObject({ delayed: 1, active: 0 }));
    expect(outcomesOf('a')).toEqual(['site-paused']);
    pauses.length = 0;
    await runs('a');
    expect(outcomesOf('a')).toEqual(['site-paused', 'indexed']);
    expect(await counts()).toMatchObject({ delayed: 0, failed: 0 });
  });

  it('use no attempt, and come back by themselves after a restart of the worker', async () => {
    await startWorker(100);
    await add('acme', 'a');
    await eventuallyPasses(
      async () => outcomesOf('a'),
      (outcomes) => expect(outcomes.length).toBeGreaterThan(2),
    );
    for (const part of running.splice(0).reverse()) await part.stop();
    pauses.length = 0;
    await startWorker(longMs);
    await runs('a');
    expect(await counts()).toMatchObject({ failed: 0 });
  });

  it('stay postponed while another site resumes', async () => {
    pauses.push({ queue: declared.queue, tenantId: 'globex' });
    await startWorker(longMs);
    await add('acme', 'a');
    await add('globex', 'g');
    await eventuallyPasses(counts, (present) => expect(present).toMatchObject({ delayed: 2, active: 0 }));
    pauses.pop();
    await runs('g');
    expect(outcomesOf('a')).toEqual(['site-paused']);
    expect(await counts()).toMatchObject({ delayed: 1 });
  });
});
