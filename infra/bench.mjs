// npm run bench: Quire through its gateway beside a baseline Fastify handler that runs the same SQL, interleaved in
// one run. docs/benchmarks.md tells how to read it.
// Options: --rounds 5 --seconds 2 --entries 2000 --search-entries 10000
//   --only get,list,media,usage,search,authentication
// --brief runs everything once, for a moment, to see that it works; its figures say nothing.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { operationNames, requestsOf } from './bench/operations.mjs';
import { openSystem, start } from './bench/systems.mjs';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { startRedis } from './redis.mjs';
import { prepare } from './prepare/prepare.mjs';
import { ensurePrograms } from './prepare/programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    brief: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    entries: { type: 'string' },
    only: { type: 'string' },
    'search-entries': { type: 'string' },
  },
});
/** Rounds that count follow one that warms up caches, plans and the compiler. */
const defaults = { rounds: '5', seconds: '2', entries: '2000', 'search-entries': '10000' };
const brief = { rounds: '0', seconds: '1', entries: '200', 'search-entries': '200' };
const options = { ...(values.brief ? brief : defaults), ...values };
const rounds = Number(options.rounds);
/** Without others, the round that warms up is reported. */
const firstCounted = Math.min(rounds, 1);
const connections = 16;
const poolSize = 10;
const work = mkdtempSync(join(tmpdir(), 'quire-bench-'));
chmodSync(work, 0o711);
const closers = [];

/** PostgreSQL with two databases. @returns their addresses, and the process and version of the server */
async function openDatabase() {
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  const postgres = await startEmbeddedPostgres({ dataDir: join(work, 'data'), settings });
  closers.push(() => postgres.stop());
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query('SHOW data_directory');
  const pidFile = readFileSync(join(rows[0].data_directory, 'postmaster.pid'), 'utf8');
  const version = (await client.query('SHOW server_version')).rows[0].server_version;
  await client.query('CREATE DATABASE quire_distributed');
  await client.end();
  const distributedUrl = Object.assign(new URL(postgres.url), { pathname: '/quire_distributed' }).href;
  return { url: postgres.url, distributedUrl, postmaster: Number(pidFile.split('\n', 1)[0]), version };
}

/** As the database's own housekeeping would have done by and by, so that it does not begin in the middle of a round. */
async function settle(databaseUrl) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** A Meilisearch server. @returns how to reach it */
async function openMeilisearch() {
  const { startMeilisearch } = await import('./meilisearch.mjs');
  const meilisearch = await startMeilisearch({ dir: join(work, 'meilisearch') });
  closers.push(() => meilisearch.stop());
  return meilisearch.access;
}

/** The variants that are compared: two Quires, each with a site of the same content, and the baseline handler. */
async function openVariants({ url, distributedUrl }) {
  const { fillSite } = await import('./bench/site.mjs');
  const { maxUploadBytes } = await import('./bench/media.mjs');
  const settings = { CMS_MAX_UPLOAD_BYTES: String(maxUploadBytes) };
  const redis = await startRedis({ dir: join(work, 'redis') });
  closers.push(() => redis.stop());
  const open = async (arrangement, databaseUrl, meilisearch) => {
    const site = await openSystem({
      root,
      arrangement,
      databaseUrl,
      redisUrl: redis.url,
      closers,
      settings,
      meilisearch,
    });
    await fillSite(site, Number(options.entries));
    await settle(databaseUrl);
    return site;
  };
  const single = await open('single', url);
  const distributed = await open(
    'distributed',
    distributedUrl,
    isWanted('search') ? await openMeilisearch() : undefined,
  );
  const message = { site: single, poolSize, folder: join(work, 'baseline-media') };
  const baseline = await start({ root, program: 'infra/bench/baseline.mjs', message, closers });
  return { baseline: { ...single, ...baseline, headers: {} }, single, distributed, redisUrl: redis.url };
}

/** Runs a load, and takes the CPU seconds of the variant's processes and of PostgreSQL meanwhile. */
async function watched(pid, postmaster, run) {
  const { cpuUse, cpuSeconds } = await import('./bench/processes.mjs');
  const now = () => [cpuUse(pid), cpuUse(postmaster)];
  const before = now();
  const measured = await run();
  const [serverMs, databaseMs] = now().map(
    (use, index) => (cpuSeconds(before[index], use) * 1000) / measured.count,
  );
  return { ...measured, serverMs, databaseMs };
}

/** One measurement of one operation on one variant. */
async function measure(operation, name, variant, postmaster) {
  const { load } = await import('./bench/load.mjs');
  return watched(variant.pid, postmaster, () =>
    load({
      label: `${operation} (${name})`,
      origin: variant.origin,
      ...requestsOf(operation, name, variant),
      seconds: Number(options.seconds),
      connections,
    }),
  );
}

const shuffled = (names) => [...names].sort(() => Math.random() - 0.5);

/** What is measured beside the operations on entries, each in rounds of its own. */
const parts = {
  media: async (given) => (await import('./bench/media.mjs')).openMedia(given),
  usage: async (given) => (await import('./bench/usage.mjs')).openUsage(given),
  search: async (given) => (await import('./bench/search.mjs')).openSearch(given),
  authentication: async (given) => (await import('./bench/authentication.mjs')).openAuthentication(given),
};

const isWanted = (name) => options.only === undefined || options.only.split(',').includes(name);

/** Measures one part: all variants of an operation in turn, in a new order each round. */
async function measurePart(open, given, postmaster) {
  const { load } = await import('./bench/load.mjs');
  const operations = await open({ ...given, load });
  const results = {};
  for (const [operation, runs] of Object.entries(operations)) {
    results[operation] = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of shuffled(Object.keys(runs))) {
        const { pid, run, clear } = runs[name];
        const measured = await watched(pid, postmaster, () => run(Number(options.seconds), connections));
        await clear?.(measured);
        if (round >= firstCounted) results[operation][name].push(measured);
      }
    }
  }
  return results;
}

/** Statements a request, of every chosen operation on every variant. */
async function countStatements(chosen, variants, url) {
  const { openStatementCounter } = await import('./bench/statements.mjs');
  const counter = await openStatementCounter(url);
  const counts = {};
  for (const operation of chosen) {
    counts[operation] = {};
    for (const [name, variant] of Object.entries(variants)) {
      const { origin, databaseUrl } = variant;
      const sent = { origin, databaseUrl, ...requestsOf(operation, name, variant) };
      counts[operation][name] = await counter.count(sent);
    }
  }
  await counter.close();
  return counts;
}

function chosenOperations({ hasBylines }) {
  const wanted = options.only?.split(',') ?? operationNames;
  if (!hasBylines && wanted.includes('bylines'))
    console.log('This Quire has no routes for bylines (404): the operation bylines is left out.');
  return wanted.filter(
    (operation) => operationNames.includes(operation) && (hasBylines || operation !== 'bylines'),
  );
}

async function main() {
  await ensurePrograms({ needs: ['redis'], log: console.log });
  await prepare({ root, log: console.log });
  const { report } = await import('./bench/report.mjs');
  const database = await openDatabase();
  const machine = `${cpus().length} cores, Node ${process.versions.node}, PostgreSQL ${database.version}`;
  console.log(`${machine}; ${connections} connections. Making the entries…`);
  const { redisUrl, ...variants } = await openVariants(database);
  const chosen = chosenOperations(variants.single);
  const results = Object.fromEntries(
    chosen.map((operation) => [operation, { baseline: [], single: [], distributed: [] }]),
  );
  let statements = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const operation of chosen) {
      for (const name of shuffled(Object.keys(variants))) {
        const measured = await measure(operation, name, variants[name], database.postmaster);
        if (round >= firstCounted) results[operation][name].push(measured);
      }
    }
    if (round === 0) statements = await countStatements(chosen, variants, database.url);
    process.stdout.write(round === 0 ? 'Warmed up, statements counted. ' : `Round ${round}. `);
  }
  console.log();
  report(results, statements);
  const given = {
    variants,
    ...variants,
    redisUrl,
    root,
    closers,
    entries: Number(options.entries),
    searchEntries: Number(options['search-entries']),
  };
  for (const [name, open] of Object.entries(parts))
    if (isWanted(name)) report(await measurePart(open, given, database.postmaster));
}

let code = 0;
await main().catch((error) => {
  console.error(error.stack ?? error);
  code = 1;
});
for (const close of closers.reverse()) await close().catch((error) => console.error(String(error)));
rmSync(work, { recursive: true, force: true });
if (process.env.QUIRE_BENCH_SUMMARY)
  writeFileSync(process.env.QUIRE_BENCH_SUMMARY, JSON.stringify({ passed: 1 - code, failed: code }));
process.exit(code);
