import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient, freePort, testBaseBuild, testStores } from '@quire/testing';
import { ClientLoad } from './client-load.js';
import { openLoadBalancer } from './load-balancer.js';
import { Programs, type Ports, type RunningPrograms } from './programs.js';
import { newDatabase, waitUntil } from './support.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const host = 'acme.example';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openInstallation(): Promise<{ previous: Programs; present: Programs }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-upgrade-'));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  const variables = {
    DATABASE_URL: (await newDatabase(testStores().databaseUrl)).href,
    CMS_DATA_DIR: dataDir,
    CMS_INTERNAL_SECRET: randomBytes(32).toString('hex'),
    CMS_DRAIN_SECONDS: '3',
    CMS_LOG_LEVEL: 'fatal',
  };
  return {
    previous: new Programs(testBaseBuild().folder, variables),
    present: new Programs(repository, variables),
  };
}

/** Starts the processes of a version, which are stopped after the test at the latest. */
async function start(programs: Programs, ports: Ports): Promise<RunningPrograms> {
  const running = await programs.start(ports);
  closers.push(() => running.stop());
  return running;
}

const freePorts = async () => ({ port: await freePort(), opsPort: await freePort() });

const isServing = async ({ opsPort }: { opsPort: number }) =>
  (await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()).includes('quire_http_requests_total{');

describe('an upgrade of a running installation', () => {
  it('fails no request while a version replaces the previous one, nor while it is rolled back', async () => {
    const { previous, present } = await openInstallation();
    const [before, after] = [await freePorts(), await freePorts()];
    await previous.cms('migrate');
    await previous.cms('tenant', 'create', 'acme', '--host', host);
    const token = await previous.cms('token', 'create', '--role', 'admin', '--tenant', 'acme');
    const old = await start(previous, before);
    const balancer = await openLoadBalancer([before, after]);
    closers.push(() => balancer.close());
    const client = createClient({ origin: balancer.origin }, { host }, { token });
    await client.post('/schema/collections', { slug: 'posts', label: 'Posts', supports: ['search'] });
    await client.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
    const { id } = (await client.post('/content/posts', { data: { title: 'First' } })).data.item;
    const load = new ClientLoad({ origin: balancer.origin, host, token, collection: 'posts', id });
    closers.push(() => load.stop());

    await load.serveMore();
    await present.cms('migrate');
    await load.serveMore();
    const current = await start(present, after);
    await waitUntil('both versions serve', () => isServing(after), 60_000);
    await load.serveMore();
    await old.stop();
    await load.serveMore();
    await start(previous, before);
    await waitUntil('the previous version serves again', () => isServing(before), 60_000);
    await current.stop();
    await load.serveMore();
    await load.stop();

    expect([...load.outcomes.keys()].sort()).toEqual(['200', '201']);
    const queues = JSON.parse(await previous.cms('queue', 'list', '--json')) as { failed: number }[];
    expect(queues.map(({ failed }) => failed)).toEqual(queues.map(() => 0));
    expect(await previous.cms('migrate', '--status')).toContain('failed: 0');
  });
});
