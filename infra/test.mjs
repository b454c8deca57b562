// npm test: installs what is missing, builds, starts real stores and systems, runs every suite, prints the counts.
// npm test -- --only unit,api-single                      runs some suites
// npm test -- --only api-single -- tests/api/entries      runs some files of a suite
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireNode } from './prepare/node-version.mjs';
import { ensurePrograms, findChromium } from './prepare/programs.mjs';
import { UserFacingError } from './process/user-facing-error.mjs';

requireNode();
const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'quire-test-'));
// PostgreSQL runs as a user of its own and has to get in.
chmodSync(work, 0o711);
const jest = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
const totals = { passed: 0, failed: 0 };
const closers = [];

/** A run that hangs must end by itself, with the counts of what did run. */
const limits = { suiteMs: 15 * 60_000, runMs: 45 * 60_000, stopMs: 60_000 };
const started = Date.now();

/** Runs a program with our terminal, and kills it when its time is up; @returns its exit code. */
async function run(command, args, env = {}) {
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  const timeoutMs = Math.max(0, Math.min(limits.suiteMs, started + limits.runMs - Date.now()));
  const killTimer = setTimeout(() => {
    console.error(`Timed out after ${Math.round(timeoutMs / 1000)} s: process killed`);
    child.kill('SIGKILL');
  }, timeoutMs);
  const [code] = await once(child, 'exit');
  clearTimeout(killTimer);
  return code ?? 1;
}

/** Ends a process that was told to stop, at the latest after a minute. */
async function killAfterTimeout(child, ended) {
  const killTimer = setTimeout(() => child.kill('SIGKILL'), limits.stopMs);
  await ended;
  clearTimeout(killTimer);
}

/** Counts what a Jest run reported; a run that reported nothing, or nothing passed, counts as a failure. */
function count(name, file, code) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    report = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
  }
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  totals.passed += report.numPassedTests;
  totals.failed += failed;
  if (failed === 0 && (code !== 0 || report.numPassedTests === 0)) totals.failed += 1;
  console.log(`${name}: ${report.numPassedTests} passed, ${failed} failed`);
}

/** Runs Jest on a folder, or on what the command line names; @param options.globals what suites learn of the run. */
async function runJest(name, { folder, globals = {}, workers = 3, env = {}, more = [] }) {
  const file = join(work, `${name}.json`);
  const config = folder === '' ? [] : ['--config', 'tests/jest.config.js'];
  const chosen = patterns.length > 0 ? patterns : [folder];
  const all = [
    '--json',
    '--outputFile',
    file,
    '--maxWorkers',
    String(workers),
    '--globals',
    JSON.stringify(globals),
    ...config,
    ...more,
  ];
  const code = await run(process.execPath, [...jest, ...all, '--testPathPatterns', ...chosen], env);
  count(name, file, code);
}

/** Node's own runner, for the scripts in infra that have to work before anything is installed. */
async function runNodeTests(name, folder) {
  const { run: runTests } = await import('node:test');
  const { spec } = await import('node:test/reporters');
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.test.mjs'))
    .map((file) => join(folder, file));
  const stream = runTests({ files, concurrency: 1 });
  let passed = 0;
  let failed = 0;
  const isTest = ({ details }) => details?.type !== 'suite';
  stream.on('test:pass', (event) => (passed += isTest(event) ? 1 : 0));
  stream.on('test:fail', (event) => (failed += isTest(event) ? 1 : 0));
  await new Promise((done) => stream.compose(spec).on('end', done).pipe(process.stdout, { end: false }));
  totals.passed += passed;
  totals.failed += failed + (passed === 0 ? 1 : 0);
  console.log(`${name}: ${passed} passed, ${failed} failed`);
}

let stores;
/** Real PostgreSQL and Redis, started once a run. */
async function openStores() {
  if (stores) return stores;
  const { startEmbeddedPostgres } = await import('./embedded-postgres.mjs');
  const { startRedis } = await import('./redis.mjs');
  // A commit reaches the operating system, which survives every process that a test kills.
  // Systems of several suites share the server.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '400' };
  const postgres = await startEmbeddedPostgres({ dataDir: join(work, 'postgres'), settings });
  closers.push(() => postgres.stop());
  const redis = await startRedis({ dir: join(work, 'redis') });
  closers.push(() => redis.stop());
  stores = { databaseUrl: postgres.url, redisUrl: redis.url };
  return stores;
}

/** Whether a chosen spec calls this function, which tells where a server is that is started only then. */
function specsCall(name) {
  const folders = [
    ...(chosen.includes('unit') ? ['libs', 'services'] : []),
    ...(chosen.includes('resilience') ? ['tests/resilience'] : []),
  ];
  const wanted = patterns.map((pattern) => new RegExp(pattern));
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules'))
    .filter((file) => wanted.length === 0 || wanted.some((pattern) => pattern.test(file)))
    .some((file) => readFileSync(join(root, file), 'utf8').includes(`${name}(`));
}

/** Servers on their way, by name. */
const servers = new Map();
/** Begins to start a server, while the build and other suites run. */
function begin(name, start) {
  const server = start(join(work, name));
  servers.set(name, server);
  closers.push(async () => (await server.catch(() => undefined))?.stop());
  server.catch(() => undefined);
}
const beginS3 = () => begin('s3', async (dir) => (await import('./s3.mjs')).startS3({ dir }));
const beginMeilisearch = () =>
  begin('meilisearch', async (dir) => (await import('./meilisearch.mjs')).startMeilisearch({ dir }));

/** How to reach a server; undefined when it did not start, which fails the run and the specs that need it. */
async function openServer(name) {
  try {
    return (await servers.get(name))?.access;
  } catch (error) {
    totals.failed += 1;
    console.error(error.message);
    return undefined;
  }
}

/** A database of its own on the server, so that suites do not meet. */
async function database(name) {
  const { default: pg } = await import('pg');
  const { databaseUrl } = await openStores();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

let systems = 0;
/** How to reach a server that a suite cannot do without. @throws UserFacingError when it was not started */
async function requireServer(name) {
  const { access } = (await servers.get(name)) ?? {};
  if (!access) throw new UserFacingError(`The server ${name} was not started`);
  return access;
}

/**
 * A whole system in one of its arrangements; see tests/system. The distributed one keeps media on S3 and searches on
 * Meilisearch.
 */
async function openSystem(arrangement) {
  const { redisUrl } = await openStores();
  const isApart = arrangement === 'distributed';
  const s3 = isApart ? await requireServer('s3') : undefined;
  const meilisearch = isApart ? await requireServer('meilisearch') : undefined;
  const child = fork(join(root, 'tests/system/system.mjs'), {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  systems += 1;
  const databaseUrl = await database(`quire_${arrangement}_${systems}`);
  child.send({ arrangement, databaseUrl, redisUrl, s3, meilisearch });
  const ended = once(child, 'exit').then(() => [{ type: 'failed', message: 'the process exited' }]);
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  if (answer.type !== 'ready') throw new Error(`The system under test did not start: ${answer.message}`);
  const stop = async () => {
    child.send({ type: 'stop' });
    await killAfterTimeout(child, ended);
  };
  return { system: answer.system, stop };
}

async function runOnSystem(name, { arrangement = name, folder, globals = {}, more = [] }) {
  const { system, stop } = await openSystem(arrangement);
  closers.push(stop);
  const all = { ...globals, __QUIRE_SYSTEM__: JSON.stringify(system) };
  await runJest(name, { folder, globals: all, more });
  closers.splice(closers.indexOf(stop), 1);
  await stop();
}
const runApi = (arrangement) => runOnSystem(`api-${arrangement}`, { arrangement, folder: 'tests/api/' });

/** How suites learn where the stores are: they may not read the environment. */
const storesGlobal = (addresses) => ({ __QUIRE_STORES__: JSON.stringify(addresses) });

const suites = {
  tooling: () => runNodeTests('tooling', join(root, 'infra/tests')),
  architecture: () => runJest('architecture', { folder: 'tests/architecture/' }),
  unit: async () => {
    const { redisUrl } = await openStores();
    const databaseUrl = await database('quire_unit');
    const env = { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl };
    const own = { s3: await openServer('s3'), meilisearch: await openServer('meilisearch') };
    const addresses = { databaseUrl, redisUrl, ...own };
    await runJest('unit', { folder: '', globals: storesGlobal(addresses), env });
  },
  'api-single': () => runApi('single'),
  'api-distributed': () => runApi('distributed'),
  config: async () => {
    const addresses = await openStores();
    await runJest('config', { folder: 'tests/config/', globals: storesGlobal(addresses) });
  },
  browser: async () => {
    const chromium = findChromium();
    await runOnSystem('browser', {
      arrangement: 'single',
      folder: 'tests/browser/',
      globals: { __QUIRE_CHROMIUM__: chromium },
      // A test is a whole way through several pages.
      more: ['--testTimeout', '120000'],
    });
  },
  resilience: async () => {
    const own = { s3: await openServer('s3'), meilisearch: await openServer('meilisearch') };
    const addresses = { ...(await openStores()), ...own };
    await runJest('resilience', {
      folder: 'tests/resilience/',
      globals: storesGlobal(addresses),
    });
  },
};

const { chosen, patterns } = parseArguments(process.argv.slice(2));

function parseArguments(args) {
  const split = args.indexOf('--');
  const own = split < 0 ? args : args.slice(0, split);
  const only = own.includes('--only') ? own[own.indexOf('--only') + 1].split(',') : Object.keys(suites);
  const unknown = only.find((name) => !(name in suites));
  if (unknown) {
    console.error(`Unknown suite ${unknown}: choose one of ${Object.keys(suites).join(', ')}`);
    process.exit(2);
  }
  return { chosen: only, patterns: split < 0 ? [] : args.slice(split + 1) };
}

/** Suites that run on no stores. */
const storeless = ['tooling', 'architecture'];

async function main() {
  const isApart = chosen.includes('api-distributed');
  const needsS3 = isApart || specsCall('testS3');
  const needs = {
    redis: chosen.some((name) => !storeless.includes(name)),
    chromium: chosen.includes('browser'),
    s3: needsS3,
  };
  await ensurePrograms({ needs: Object.keys(needs).filter((name) => needs[name]), log: console.log });
  if (needsS3) beginS3();
  if (isApart || chosen.includes('resilience') || specsCall('testMeilisearch')) beginMeilisearch();
  const { prepare } = await import('./prepare/prepare.mjs');
  await prepare({ root, log: console.log });
  for (const name of chosen) {
    console.log(`\n== ${name}`);
    try {
      await suites[name]();
    } catch (error) {
      totals.failed += 1;
      console.error(`${name}: ${error instanceof UserFacingError ? error.message : (error.stack ?? error)}`);
    }
  }
}

process.once('SIGINT', () => process.exit(130));
await main()
  .catch((error) => {
    totals.failed += 1;
    console.error(error.message ?? error);
  })
  .finally(async () => {
    for (const close of closers.reverse()) await close().catch((error) => console.error(String(error)));
    rmSync(work, { recursive: true, force: true });
  });
if (process.env.QUIRE_TEST_SUMMARY) writeFileSync(process.env.QUIRE_TEST_SUMMARY, JSON.stringify(totals));
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed > 0 || totals.passed === 0 ? 1 : 0);
