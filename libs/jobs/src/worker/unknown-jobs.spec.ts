import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, eventuallyPasses, testStores } from '@quire/testing';
import { connectQueueBackend, type NewJob, type QueueBackend } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { indexSearchEntry } from '../declare/jobs.js';
import { pausedSitesOf } from '../pause/pauses.fixture.js';
import { jobHandler, startWorkers, type JobResult } from './start-workers.js';

const quiet = () => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };
const data = { tenantId: 't', collection: 'posts', collectionId: 'c', entryId: 'e' };

/** A job on the queue of the case: one that every version has, or one that only the newer version has. */
const declared = (queue: string, name: string): JobDeclaration =>
  ({ ...indexSearchEntry, queue, name, attempts: 1 }) as unknown as JobDeclaration;

const added = (name: string): NewJob => ({
  name,
  id: `${name}-1`,
  data,
  delayMs: 0,
  attempts: 1,
  backoffMs: 50,
  keepCompleted: 10,
  keepFailed: 10,
});

describe.each(['PostgreSQL', 'Redis'])('workers of two versions on one queue on %s', (store) => {
  let backend: QueueBackend;
  const running: { stop: () => Promise<void> }[] = [];
  beforeAll(() => {
    const { databaseUrl, redisUrl } = testStores();
    backend = connectQueueBackend({
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      databaseUrl,
      namespace: 'version_tests',
      logger,
    });
  });
  afterEach(() => Promise.all(running.splice(0).map((workers) => workers.stop())));
  afterAll(() => backend.close());

  /** Starts a version that knows these jobs. @returns the ends of its runs */
  async function startVersion(jobs: readonly JobDeclaration[]): Promise<JobResult[]> {
    const ends: JobResult[] = [];
    running.push(
      await startWorkers({
        target: 'search-worker',
        backend,
        pausedSites: pausedSitesOf([]),
        jobs,
        handlers: jobs.map((job) => jobHandler(job, async () => 'indexed')),
        contextOf: async (tenant) => ({ tenant }),
        logger,
        postponeMs: 100,
        onJobEnd: (end) => ends.push(end),
      }),
    );
    return ends;
  }

  it('leave a job that the older does not know to the newer', async () => {
    const queue = `versions-${store}-${process.pid}-${Date.now()}`;
    const [known, newer] = [declared(queue, 'known'), declared(queue, 'newer')];
    const endsOfOlder = await startVersion([known]);
    await backend.queue(queue).addAll([added('newer'), added('known')]);
    const outcomesOfOlder = () => endsOfOlder.map(({ outcome }) => outcome);
    await eventuallyPasses(
      async () => outcomesOfOlder(),
      (outcomes) => {
        expect(outcomes.filter((outcome) => outcome === 'unknown-job').length).toBeGreaterThan(1);
        expect(outcomes).toContain('indexed');
      },
    );
    expect(await backend.queue(queue).counts()).toMatchObject({ failed: 0 });
    const endsOfNewer = await startVersion([known, newer]);
    await eventually(async () => endsOfNewer.some(({ job }) => job === 'newer'));
    expect(endsOfNewer).toMatchObject([{ job: 'newer', outcome: 'indexed' }]);
    expect(endsOfOlder.filter(({ job }) => job === 'known')).toMatchObject([{ outcome: 'indexed' }]);
    expect(await backend.queue(queue).counts()).toMatchObject({ failed: 0 });
  });
});
