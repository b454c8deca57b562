import { describe, expect, it } from '@jest/globals';
import {
  PostponedJobError,
  type JobWorker,
  type QueueBackend,
  type RunningJob,
  UnrecoverableJobError,
} from '../backend/index.js';
import { publishScheduledEntry } from '../declare/jobs.js';
import { pausedSitesOf } from '../pause/pauses.fixture.js';
import { jobHandler, startWorkers, type JobResult, type JobHandler } from './start-workers.js';

interface TestContext {
  tenant: string;
  trace: string;
}

/** Exposes the function that a queue would call for each job. */
function fakeBackend() {
  const state: { run?: (job: RunningJob) => Promise<unknown>; stopped: number[] } = { stopped: [] };
  const refuse = () => {
    throw new Error('not planned');
  };
  const backend: QueueBackend = {
    kind: 'postgres',
    queue: refuse,
    admin: refuse,
    raw: refuse,
    relay: refuse,
    ping: refuse,
    close: refuse,
    worker: async (_queue, _options, run): Promise<JobWorker> => {
      state.run = run;
      return { stop: async (withinSeconds) => void state.stopped.push(withinSeconds) };
    },
  };
  return { backend, state };
}

/** All log lines, as text: no content of a message may be in them. */
const lines: string[] = [];
const log = (fields: object, text: string) => {
  const { err, ...rest } = fields as { err?: Error };
  lines.push(`${text} ${JSON.stringify(rest)} ${err?.message ?? ''}`);
};
const logger = { info: log, warn: log, error: log };
const handler = (outcome: 'published' | 'stale' = 'published') =>
  jobHandler(publishScheduledEntry, async (_: TestContext) => outcome);

async function start(handlers: JobHandler<TestContext>[], ends: JobResult[] = []) {
  const { backend, state } = fakeBackend();
  const workers = await startWorkers<TestContext>({
    target: 'content-worker',
    backend,
    pausedSites: pausedSitesOf([]),
    handlers,
    contextOf: async (tenant, _, trace) => (tenant === 'gone' ? undefined : { tenant, trace }),
    logger,
    stopWithinSeconds: 3,
    onJobEnd: (end) => ends.push(end),
  });
  const run = (data: unknown, name = 'publish-scheduled-entry', trace?: string) =>
    state.run?.({ id: 'j1', name, data, trace, dueAt: new Date(), attempt: 1 });
  return { run, workers, state };
}

const message = { tenantId: 't', collection: 'posts', entryId: 'e', scheduledAt: '2026-01-01T00:00:00Z' };

describe('startWorkers', () => {
  it('fails when a declared job has no handler', async () => {
    await expect(start([])).rejects.toThrow('publish-scheduled-entry of content-worker has no handler');
  });

  it('fails when a declared job has two handlers', async () => {
    await expect(start([handler(), handler()])).rejects.toThrow('has 2 handlers');
  });

  it('fails when a handler has no declared job of the target', async () => {
    const stray = { ...handler(), job: { ...handler().job, name: 'stray' } };
    await expect(start([handler(), stray])).rejects.toThrow('stray is no job of content-worker');
  });

  it('reports the outcome of the handler with the tenant of the message', async () => {
    const ends: JobResult[] = [];
    const { run } = await start([handler('stale')], ends);
    await expect(run(message)).resolves.toBe('stale');
    expect(ends).toMatchObject([{ job: 'publish-scheduled-entry', id: 'j1', tenant: 't', outcome: 'stale' }]);
  });

  it('reports tenant-deleted for a deleted tenant', async () => {
    const { run } = await start([handler()]);
    await expect(run({ ...message, tenantId: 'gone' })).resolves.toBe('tenant-deleted');
  });

  it('ignores unknown message fields', async () => {
    const { run } = await start([handler()]);
    await expect(run({ ...message, addedLater: true })).resolves.toBe('published');
  });

  it('fails an undecodable message without retry', async () => {
    const ends: JobResult[] = [];
    const { run } = await start([handler()], ends);
    await expect(run({ ...message, entryId: 5 })).rejects.toBeInstanceOf(UnrecoverableJobError);
    expect(ends).toMatchObject([{ outcome: 'failed' }]);
  });

  it.each([
    ['a field of another type', { ...message, entryId: { secret: 'hush' } }, 'cannot be read at entry_id'],
    ['a time that is none', { ...message, scheduledAt: 'hush' }, 'cannot be read'],
    ['something that is no object', 'hush', 'cannot be read'],
  ])('does not log the content of a message with %s', async (_, data, text) => {
    lines.length = 0;
    const { run } = await start([handler()]);
    await expect(run(data)).rejects.toThrow(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`"jobId":"j1"`);
    expect(lines[0]).not.toContain('hush');
  });

  it('fails a message without a tenant without retry', async () => {
    const { run } = await start([handler()]);
    await expect(run({ collection: 'posts' })).rejects.toBeInstanceOf(UnrecoverableJobError);
  });

  it('postpones unknown jobs, reports each, and logs the first of each name', async () => {
    lines.length = 0;
    const ends: JobResult[] = [];
    const { run } = await start([handler()], ends);
    for (const name of ['newer', 'newer', 'newest'])
      await expect(run(message, name)).rejects.toBeInstanceOf(PostponedJobError);
    expect(ends.map(({ job, outcome }) => [job, outcome])).toEqual([
      ['newer', 'unknown-job'],
      ['newer', 'unknown-job'],
      ['newest', 'unknown-job'],
    ]);
    expect(lines).toHaveLength(2);
  });

  it('reports the wait of a first attempt, and none of a further one', async () => {
    const ends: JobResult[] = [];
    const { state } = await start([handler()], ends);
    const running = { id: 'j1', name: 'publish-scheduled-entry', data: message };
    for (const [attempt, ageMs] of [
      [1, 90_000],
      [1, -5],
      [2, 90_000],
    ] as const)
      await state.run?.({ ...running, dueAt: new Date(Date.now() - ageMs), attempt });
    const [late, early, further] = ends.map(({ waitSeconds }) => waitSeconds);
    expect(late).toBeGreaterThanOrEqual(90);
    expect(early).toBe(0);
    expect(further).toBeUndefined();
  });

  it('passes its workers a time limit for stopping', async () => {
    const { workers, state } = await start([handler()]);
    await workers.stop();
    expect(state.stopped).toEqual([3]);
  });
});

describe('the trace of a job', () => {
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const received: string[] = [];
  const tracing = () =>
    jobHandler(publishScheduledEntry, async (ctx: TestContext) => {
      received.push(ctx.trace);
      if (received.length > 1) throw new Error('failed');
      return 'published';
    });

  it('is that of the request, in its context and in its log lines', async () => {
    const { run } = await start([tracing()]);
    lines.length = 0;
    await run(message, undefined, trace);
    await expect(run(message, undefined, trace)).rejects.toThrow('failed');
    expect(received).toEqual([trace, trace]);
    const fields = '"jobId":"j1","traceId":"4bf92f3577b34da6a3ce929d0e0e4736","tenant":"t"';
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^job .*${fields}`)),
      expect.stringMatching(new RegExp(`^job failed .*${fields}`)),
    ]);
  });

  it('begins with a job that was sent without one, or with an invalid one', async () => {
    received.length = 0;
    const { run } = await start([tracing()]);
    await run(message, undefined, 'invalid');
    expect(received).toEqual([expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-00$/)]);
  });
});
