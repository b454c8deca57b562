/** Measures an installation at growing numbers of sites: their creation, and what all of them cost together. */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { withCpuTimes } from '../cpu.js';
import { writeDocsTable } from '../docs.js';
import { inParallel } from '../in-parallel.js';
import { load } from '../load.js';
import { api, createEntries, publishEntries } from '../site.js';
import type { Site } from '../systems.js';
import { textTable } from '../table.js';
import { TenantsInstallation, type CreatedSite } from './installation.js';
import { memoryMiB } from './memory.js';

interface TenantsOptions {
  /** Numbers of sites, in ascending order. */
  sizes: readonly number[];
  seconds: number;
  connections: number;
  postmaster: number;
  isBrief: boolean;
  writesDocs: boolean;
}

/** What the creation of a site costs. */
interface Creation {
  seconds: number;
  bytes: number;
  relations: number;
}

/** What an installation with a number of sites costs. */
interface TenantsResult {
  sites: number;
  /** Of each site that this step has added. */
  created: Creation;
  bootSeconds: number;
  /** Of a second `cms migrate`, which has nothing to do. */
  migrateSeconds: number;
  /** Requests a second to all sites in turn, and to one of them. */
  rates: { all: number; one: number };
  memory: { api: number; worker: number; database: number };
  /** Share of one core, without requests. */
  idleShare: number;
}

const collectionsOfSite = 5;
const entriesOfSite = 5;
const listPath = '/_cms/api/content/pages_0?status=published';
const sitesAtOnce = 4;
const idleSeconds = 30;
/** A start and a load leave work behind. */
const calmSeconds = 10;

/** Adds sites up to each size, and prints a table of what they cost. */
export async function measureTenants(site: Site, options: TenantsOptions): Promise<void> {
  const installation = new TenantsInstallation(site);
  const sites: CreatedSite[] = [];
  const results: TenantsResult[] = [];
  for (const size of options.sizes) results.push(await measure(installation, sites, size, options));
  const rows = rowsOf(results);
  console.log(`\ntenants: sites with ${collectionsOfSite} collections each\n${textTable(rows)}`);
  if (options.writesDocs) await writeDocsTable('tenants', rows);
}

async function measure(
  installation: TenantsInstallation,
  sites: CreatedSite[],
  size: number,
  options: TenantsOptions,
): Promise<TenantsResult> {
  const { isBrief, postmaster } = options;
  const ids = Array.from({ length: size - sites.length }, (_, index) => `site-${sites.length + index}`);
  const created = await createSites(installation, ids);
  await inParallel(ids, sitesAtOnce, async (id) => {
    const site = await installation.openSite(id);
    await fillSite(site);
    sites.push(site);
  });
  const bootSeconds = await installation.restart();
  const rates = await measureRates(sites, options);
  const processes = await installation.processes();
  const memory = {
    api: memoryMiB(processes.api),
    worker: memoryMiB(processes.worker),
    database: memoryMiB([postmaster]),
  };
  const migrateSeconds = await secondsOf(() => installation.cms('migrate'));
  await wait(isBrief ? 0 : calmSeconds * 1000);
  const seconds = isBrief ? 1 : idleSeconds;
  const [, cpu] = await withCpuTimes(processes, postmaster, () => wait(seconds * 1000));
  const idleShare = (cpu.api + cpu.worker + cpu.database) / seconds;
  return { sites: size, created, bootSeconds, migrateSeconds, rates, memory, idleShare };
}

/** Creates sites by one command. Its start counts. */
async function createSites(installation: TenantsInstallation, ids: readonly string[]): Promise<Creation> {
  const before = await installation.databaseSize();
  const seconds = await secondsOf(() => installation.createSites(ids));
  const after = await installation.databaseSize();
  const ofEach = (sum: number) => sum / ids.length;
  return {
    seconds: ofEach(seconds),
    bytes: ofEach(after.bytes - before.bytes),
    relations: ofEach(after.relations - before.relations),
  };
}

/** Gives a site collections, and one of them published entries. */
async function fillSite(site: CreatedSite): Promise<void> {
  const slugs = Array.from({ length: collectionsOfSite }, (_, number) => `pages_${number}`);
  const [first = ''] = slugs;
  for (const slug of slugs) {
    await api(site, 'POST', '/schema/collections', { slug, label: slug });
    await api(site, 'POST', `/schema/collections/${slug}/fields`, {
      slug: 'title',
      label: 'Title',
      type: 'string',
    });
  }
  const data = (rank: number) => ({ title: `Entry ${rank}` });
  await publishEntries(site, first, await createEntries(site, first, entriesOfSite, { data }));
}

/** Lists of entries, of all sites in turn and of one of them, each after a round that warms up. */
async function measureRates(
  sites: readonly CreatedSite[],
  { seconds, connections }: TenantsOptions,
): Promise<TenantsResult['rates']> {
  const rateOf = async (chosen: readonly CreatedSite[]) => {
    let count = 0;
    const next = () => {
      const site = chosen[(count += 1) % chosen.length];
      return { path: listPath, headers: site?.headers ?? {} };
    };
    const origin = chosen[0]?.origin ?? '';
    const run = () => load({ label: 'lists of sites', origin, headers: {}, next, seconds, connections });
    await run();
    return (await run()).rate;
  };
  return { all: await rateOf(sites), one: await rateOf(sites.slice(0, 1)) };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

const megabyte = 1_000_000;

function rowsOf(results: readonly TenantsResult[]): string[][] {
  const row = ({ sites, created, bootSeconds, migrateSeconds, rates, memory, idleShare }: TenantsResult) => [
    String(sites),
    created.seconds.toFixed(2),
    (created.bytes / megabyte).toFixed(1),
    created.relations.toFixed(0),
    bootSeconds.toFixed(1),
    migrateSeconds.toFixed(1),
    rates.all.toFixed(0),
    (rates.all / rates.one).toFixed(2),
    memory.api.toFixed(0),
    memory.worker.toFixed(0),
    memory.database.toFixed(0),
    `${(idleShare * 100).toFixed(1)} %`,
  ];
  return [
    [
      'sites',
      'creation s',
      'MB',
      'relations',
      'start s',
      'migrate s',
      'req/s',
      'to one site',
      'API MiB',
      'worker MiB',
      'DB MiB',
      'idle',
    ],
    ...results.map(row),
  ];
}
