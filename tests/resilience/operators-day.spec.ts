import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createImage,
  eventually,
  freePort,
  statusAndCode,
  testBaseBuild,
  testStores,
  uploadFile,
  type Client,
} from '@quire/testing';
import { ClientLoad } from './client-load.js';
import { openLoadBalancer, type LoadBalancer } from './load-balancer.js';
import { Programs, type Ports, type RunningPrograms } from './programs.js';
import { newDatabase, waitUntil } from './support.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const sites = Array.from({ length: 50 }, (_, number) => `site-${number}`);
const [site = '', suspended = ''] = sites;
const hostOf = (id: string) => `${id}.example`;
const secret = () => randomBytes(32).toString('hex');

const closers: (() => Promise<unknown>)[] = [];
let folder: string;
/** Variables of the present processes. */
let variables: Record<string, string>;
/** Two places for processes behind the load balancer: a new process starts in the free one. */
let places: [Ports, Ports];
let balancer: LoadBalancer;
let running: RunningPrograms;
let token: string;
let client: Client;
let entryId: string;

const previous = () => new Programs(testBaseBuild().folder, variables);
const present = () => new Programs(repository, variables);
const asPrinted = <Printed>(text: string) => JSON.parse(text) as Printed;

/** A new machine: databases and a folder, all empty. */
async function openMachine(): Promise<Record<string, string>> {
  const { databaseUrl } = testStores();
  return {
    DATABASE_URL: (await newDatabase(databaseUrl)).href,
    DATABASE_URL_EU2: (await newDatabase(databaseUrl)).href,
    CMS_DATA_DIR: await mkdtemp(join(folder, 'data-')),
  };
}

/** Starts processes in the free place, waits until they serve, and stops those of the other place. */
async function replace(programs: Programs, load?: ClientLoad): Promise<void> {
  const [used, free] = places;
  const former = running;
  const started = await programs.start(free);
  running = started;
  closers.push(() => started.stop());
  places = [free, used];
  await waitUntil('the new processes serve', () => isServing(free), 60_000);
  await load?.serveMore();
  await former.stop();
  await load?.serveMore();
}

async function isServing({ opsPort }: Ports): Promise<boolean> {
  await client.get('/auth/me');
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  return metrics.includes('quire_http_requests_total{');
}

/** Waits until the load balancer has found the processes. */
const served = () =>
  waitUntil('the processes serve', async () => (await fetch(`${balancer.origin}/healthz`)).ok, 60_000);

/** Does work while clients use the site. @returns what became of their requests */
async function underLoad(work: (load: ClientLoad) => Promise<void>): Promise<string[]> {
  const load = new ClientLoad({
    origin: balancer.origin,
    host: hostOf(site),
    token,
    collection: 'posts',
    id: entryId,
  });
  try {
    await load.serveMore();
    await work(load);
  } finally {
    await load.stop();
  }
  return [...load.outcomes.keys()].sort();
}

/** What the site responds about its content. */
async function contents(): Promise<unknown> {
  const paths = [
    '/content/posts?limit=100',
    `/content/posts/${entryId}`,
    '/media',
    '/settings',
    '/admin/users',
  ];
  const responses = [];
  for (const path of paths) {
    const { status, data } = await client.get(path);
    responses.push([path, status, data]);
  }
  return responses;
}

const createEntry = () => client.post('/content/posts', { data: { title: 'Another' } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-day-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const settings = { CMS_INTERNAL_SECRET: secret(), CMS_DRAIN_SECONDS: '3', CMS_LOG_LEVEL: 'fatal' };
  variables = { ...(await openMachine()), ...settings };
  const freePorts = async () => ({ port: await freePort(), opsPort: await freePort() });
  places = [await freePorts(), await freePorts()];
  balancer = await openLoadBalancer(places);
  closers.push(() => balancer.close());
});
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

// Each step goes on with the installation of the one before. Commands are those of docs/operations.md.
describe("an operator's day", () => {
  it('begins with fifty sites from a file', async () => {
    const file = join(folder, 'sites.jsonl');
    await writeFile(file, sites.map((id) => JSON.stringify({ id, hosts: [hostOf(id)] })).join('\n'));
    await previous().cms('migrate');
    const printed = await previous().cms('tenant', 'create', '--from', file, '--jobs', '4');
    expect(printed).toContain('50 site(s) created, 0 existed, 0 failed');
    token = await previous().cms('token', 'create', '--role', 'admin', '--tenant', site);
    client = createClient({ origin: balancer.origin }, { host: hostOf(site) }, { token });
    running = await previous().start(places[0]);
    closers.push(() => running.stop());
    await served();
    await client.post('/schema/collections', { slug: 'posts', label: 'Posts' });
    await client.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
    entryId = (await client.post('/content/posts', { data: { title: 'First' } })).data.item.id;
    expect((await uploadFile(client, { bytes: await createImage(), type: 'image/png' })).status).toBe(201);
  });

  it('upgrades the installation, rolls it back and upgrades it again: no request fails', async () => {
    const outcomes = await underLoad(async (load) => {
      await present().cms('migrate');
      await load.serveMore();
      await replace(present(), load);
      await replace(previous(), load);
      await replace(present(), load);
    });
    expect(outcomes).toEqual(['200', '201']);
    const queues = asPrinted<{ failed: number }[]>(await present().cms('queue', 'list', '--json'));
    expect(queues.filter(({ failed }) => failed > 0)).toEqual([]);
    expect(await present().cms('migrate', '--status')).toMatch(/current: 51,.* failed: 0$/m);
  });

  it('limits a site', async () => {
    await present().cms('tenant', 'limit', site, 'entries=1');
    const refused = await eventually(createEntry, ({ status }) => status !== 201);
    expect(statusAndCode(refused)[1]).toBe('ENTRY_LIMIT_EXCEEDED');
    await present().cms('tenant', 'limit', site, 'entries=none');
    expect((await eventually(createEntry, ({ status }) => status === 201)).status).toBe(201);
  });

  it('suspends a site and resumes it', async () => {
    const other = createClient({ origin: balancer.origin }, { host: hostOf(suspended) });
    await present().cms('tenant', 'suspend', suspended, '--reason', 'unpaid');
    const rejected = await eventually(
      () => other.get('/auth/mode'),
      ({ status }) => status === 503,
    );
    expect(statusAndCode(rejected)).toEqual([503, 'SITE_SUSPENDED']);
    await present().cms('tenant', 'resume', suspended);
    expect(
      (
        await eventually(
          () => other.get('/auth/mode'),
          ({ status }) => status === 200,
        )
      ).status,
    ).toBe(200);
  });

  it('moves a site to another database', async () => {
    const before = await contents();
    await present().cms('tenant', 'move', site, '--database', 'EU2');
    expect(await contents()).toEqual(before);
    expect((await createEntry()).status).toBe(201);
  });

  it('backs all sites up, loses the machine and restores them on another', async () => {
    const backups = join(folder, 'backups');
    const before = await contents();
    await present().cms('backup', 'create', '--all', '--to', backups, '--media', '--jobs', '4');
    const files = await readdir(backups);
    expect(sites.filter((id) => !files.some((file) => file.startsWith(`${id}.`)))).toEqual([]);
    await running.stop();
    variables = { ...variables, ...(await openMachine()) };
    await present().cms('migrate');
    // A few show what all of them do.
    const restored = new Set([site, suspended, ...sites.slice(2, 6)].map((id) => `${id}.tar.gz`));
    for (const file of files) if (!restored.has(file)) await rm(join(backups, file));
    const summary = await present().cms('restore', backups, '--all', '--jobs', '4');
    expect(summary).toContain('6 site(s) restored, 0 existed, 0 failed');
    running = await present().start(places[0]);
    closers.push(() => running.stop());
    await served();
    expect(await contents()).toEqual(before);
  });

  it('replaces the secret of the installation: no request fails', async () => {
    const old = variables.CMS_INTERNAL_SECRET ?? '';
    const fresh = secret();
    const outcomes = await underLoad(async (load) => {
      for (const accepted of [`${old},${fresh}`, `${fresh},${old}`, fresh]) {
        variables = { ...variables, CMS_INTERNAL_SECRET: accepted };
        await replace(present(), load);
      }
    });
    expect(outcomes).toEqual(['200', '201']);
  });
});
