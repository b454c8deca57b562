import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Client, Site } from '@quire/testing';
import { closeEnvironments, TestEnvironment, waitUntil } from './support.js';

interface QueueState {
  queue: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  oldestSeconds: number;
  state: string;
  pausedSites: string[];
  outbox: { count: number };
}

const entriesOfBusySite = 150;
const entriesOfQuietSite = 2;
let testEnvironment: TestEnvironment;

/** Runs a documented command, as an operator does. @returns what it prints as JSON */
async function cms<Printed>(...args: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await testEnvironment.control<
    Record<'stdout' | 'stderr', string> & { code: number }
  >('/cms', { args: [...args, '--json'] });
  expect([args, code, stderr]).toEqual([args, 0, '']);
  return JSON.parse(stdout) as Printed;
}

async function queue(name: string): Promise<QueueState> {
  const queues = await cms<QueueState[]>('queue', 'list');
  const found = queues.find((each) => each.queue === name);
  if (!found) throw new Error(`There is no queue ${name}`);
  return found;
}

const jobsOf = ({ waiting, active, delayed, outbox }: QueueState) =>
  waiting + active + delayed + outbox.count;

const waitUntilEmpty = (name: string) =>
  waitUntil(`no job waits in ${name}`, async () => jobsOf(await queue(name)) === 0, 60_000);

async function openSearchableSite(): Promise<{ site: Site; admin: Client }> {
  const site = await testEnvironment.openSite();
  const admin = await site.as('admin');
  const title = { slug: 'title', label: 'Title', type: 'string', searchable: true };
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', title);
  const enabled = await admin.post('/search/enable', { collection: 'posts', enabled: true });
  expect(enabled.status).toBe(200);
  return { site, admin };
}

async function createEntries({ admin }: { admin: Client }, count: number): Promise<void> {
  for (let created = 0; created < count; created += 1) {
    const { status } = await admin.post('/content/posts', { data: { title: `Entry ${created}` } });
    expect(status).toBe(201);
  }
}

/** Number of entries on the first page of a search. */
async function foundBy({ admin }: { admin: Client }): Promise<number> {
  const { status, data } = await admin.get('/search?q=entry&status=all');
  expect(status).toBe(200);
  return (data.items as object[]).length;
}

afterEach(closeEnvironments);

describe.each([
  ['PostgreSQL', false],
  ['Redis', true],
])("an operator's hour with queues on %s (docs/queues.md)", (_, onRedis) => {
  it('sees a queue fall behind, finds the site, pauses the queue and the site, retries, resumes, and drops', async () => {
    testEnvironment = await TestEnvironment.open({ arrangement: 'no-workers', onRedis });
    const [busy, quiet] = [await openSearchableSite(), await openSearchableSite()];
    const [busyId, quietId] = [busy, quiet].map(({ site }) => site.tenant);
    await createEntries(busy, entriesOfBusySite);
    await createEntries(quiet, entriesOfQuietSite);

    // The queue falls behind: it has jobs, some in the outbox because it is full, and no worker.
    const behind = await waitUntil('the queue has jobs', async () => {
      const state = await queue('search');
      return state.waiting > 0 && state.outbox.count > 0 && state;
    });
    expect(behind.state).toBe('NO WORKER');
    expect(behind.oldestSeconds).toBeGreaterThan(0);

    // The site: the busy one is first.
    const { sites, waiting } = await cms<{ waiting: number; sites: { tenant: string; jobs: number }[] }>(
      'queue',
      'top',
      'search',
    );
    expect(sites[0]?.tenant).toBe(busyId);
    expect(sites[0]?.jobs).toBeGreaterThanOrEqual(entriesOfBusySite);
    expect(sites.find(({ tenant }) => tenant === quietId)?.jobs).toBeGreaterThanOrEqual(entriesOfQuietSite);
    expect(waiting).toBe(sites.reduce((sum, { jobs }) => sum + jobs, 0));

    // A pause of the busy site, and one of the queue, which holds the jobs although workers run.
    await cms('queue', 'pause', 'search', '--tenant', String(busyId));
    await cms('queue', 'pause', 'search');
    await testEnvironment.control('/workers/start');
    await waitUntil('the worker is connected', async () => (await queue('search')).state === 'paused');
    const paused = await queue('search');
    await wait(1_000);
    expect((await queue('search')).waiting).toBe(paused.waiting);

    // Resumed, the workers catch up with the jobs of the quiet site, and with the others when that site is resumed.
    await cms('queue', 'resume', 'search');
    await waitUntil('the entries of the quiet site are found', async () => (await foundBy(quiet)) > 0);
    const remaining = await queue('search');
    expect(remaining).toMatchObject({ state: 'running', pausedSites: [busyId] });
    expect(jobsOf(remaining)).toBeGreaterThanOrEqual(entriesOfBusySite);
    expect(await foundBy(busy)).toBe(0);
    await cms('queue', 'resume', 'search', '--tenant', String(busyId));
    await waitUntilEmpty('search');
    await waitUntil('the entries of the busy site are found', async () => (await foundBy(busy)) > 0);

    // A job that fails for good is seen, run again, and deleted.
    await testEnvironment.sql.query(
      `INSERT INTO cms_content.outbox (id, job, tenant_id, message)
       VALUES ('01K0000000000000000000BAD1', 'search.index-entry', $1, json_build_object('tenantId', $1::text, 'entryId', 5))`,
      [busyId],
    );
    const failed = await waitUntil('the job failed', async () => {
      const jobs = await cms<{ id: string; tenant: string; reason: string }[]>('queue', 'failed', 'search');
      return jobs.length === 1 && jobs[0];
    });
    expect([failed.id, failed.tenant]).toEqual(['01K0000000000000000000BAD1', busyId]);
    expect(failed.reason).not.toBe('');
    expect(await cms('queue', 'retry', 'search', '--tenant', String(busyId))).toEqual({ retried: 1 });
    await waitUntil('it failed again', async () => (await queue('search')).failed === 1);
    expect(await cms('queue', 'drop', 'search', '--tenant', String(busyId), '--yes')).toEqual({ dropped: 1 });
    expect((await queue('search')).failed).toBe(0);

    // The log has each change of a queue, the last first.
    const log = await cms<{ action: string; target: string; count: number }[]>('operator', 'log');
    const changes = log.filter(({ action }) => action.startsWith('queue '));
    expect(changes.map(({ action, target }) => [action, target])).toEqual(
      ['drop', 'retry', 'resume', 'resume', 'pause', 'pause'].map((action) => [`queue ${action}`, 'search']),
    );
  });
});
