import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { parseCommandLine, type CommandOptions } from '../command.js';
import { ensurePrograms, findChromium, type ProgramNeed } from '../process/programs.js';
import { TestReport, type JestOptions } from './report.js';
import { TestEnvironment } from './test-environment.js';
import { findImageNode, installTools } from './test-tools.js';

interface SuiteContext {
  root: string;
  report: TestReport;
  environment: TestEnvironment;
}

type Suite = (context: SuiteContext) => Promise<void>;

/** Test files get the addresses of the stores as a global: they may not read the environment. */
const storesGlobal = (addresses: object) => ({ __QUIRE_STORES__: JSON.stringify(addresses) });

async function allStores({ environment, report }: SuiteContext) {
  const servers = await environment.servers((error) =>
    report.fail(error instanceof Error ? error.message : String(error)),
  );
  return { ...(await environment.stores()), ...servers };
}

interface SystemSuite {
  arrangement: string;
  folder: string;
  /** Path of the Node.js that runs the system (default: this one). */
  node?: string;
  globals?: Record<string, string | undefined>;
}

/** The libraries that depend on the version of Node.js: streams and HTTP, and drivers of stores. */
const versionDependent = ['libs/(?:context|outgoing-http|redis|runtime|service-client)/'];

/** A suite of black-box tests on a whole system. */
async function runOnSystem(
  name: string,
  { report, environment }: SuiteContext,
  { arrangement, folder, node, globals = {} }: SystemSuite,
): Promise<void> {
  const { system, stop } = await environment.startSystem(arrangement, node);
  const all = { ...globals, __QUIRE_SYSTEM__: JSON.stringify(system) };
  await report.runJest(name, { folder, globals: all });
  await stop();
}

/** Specs beside the sources. */
async function runUnit(
  name: string,
  context: SuiteContext,
  tests: Pick<JestOptions, 'files' | 'node'> = {},
): Promise<void> {
  const addresses = await allStores(context);
  const databaseUrl = await context.environment.createDatabase(`quire_${name.replaceAll('-', '_')}`);
  const env = { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: addresses.redisUrl };
  const globals = storesGlobal({ ...addresses, databaseUrl });
  await context.report.runJest(name, { ...tests, folder: '', globals, env });
}

const suites: Readonly<Record<string, Suite>> = {
  tooling: ({ root, report }) => report.runNodeTests('tooling', join(root, 'infra/tests')),
  architecture: ({ report }) => report.runJest('architecture', { folder: 'tests/architecture/' }),
  unit: (context) => runUnit('unit', context),
  'api-single': (context) =>
    runOnSystem('api-single', context, { arrangement: 'single', folder: 'tests/api/' }),
  // As the processes of the image.
  'api-distributed': async (context) =>
    runOnSystem('api-distributed', context, {
      arrangement: 'distributed',
      folder: 'tests/api/',
      node: await findImageNode(context.root),
    }),
  config: async ({ report, environment }) => {
    const globals = storesGlobal(await environment.stores());
    await report.runJest('config', { folder: 'tests/config/', globals });
  },
  'node-24-unit': async (context) =>
    runUnit('node-24-unit', context, {
      files: versionDependent,
      node: await findImageNode(context.root),
    }),
  browser: (context) =>
    runOnSystem('browser', context, {
      arrangement: 'single',
      folder: 'tests/browser/',
      globals: { __QUIRE_CHROMIUM__: findChromium() },
    }),
  'mcp-clients': async (context) => {
    await installTools(context.root, 'tests/mcp-clients');
    await runOnSystem('mcp-clients', context, {
      arrangement: 'single',
      folder: 'tests/mcp-clients/',
    });
  },
  resilience: async (context) => {
    const { QUIRE_MIXED_REQUESTS } = process.env;
    const globals = {
      ...storesGlobal(await allStores(context)),
      __QUIRE_MIXED_REQUESTS__: QUIRE_MIXED_REQUESTS,
    };
    await context.report.runJest('resilience', { folder: 'tests/resilience/', globals });
  },
};

/** Suites that need no Redis. */
const storelessSuites = ['architecture'];
/** Suites that wait for other programs most of their time: they run beside all others. */
const backgroundSuites = ['tooling'];

const usage = `Usage: npm test [-- --only SUITES] [-- PATTERNS]

Starts real stores and systems, runs the suites, and prints the counts.

  --only SUITES  a comma list of suites (default: all): ${Object.keys(suites).slice(0, 4).join(', ')},
                 ${Object.keys(suites).slice(4).join(', ')}
  PATTERNS       run only test files whose path matches one of these regular expressions
  --help         this text

For example: npm test -- --only api-single -- tests/api/sections
Writes counts, failures and seconds to the file of QUIRE_TEST_SUMMARY. QUIRE_MIXED_REQUESTS is the number of reads
and writes of tests/resilience/cached-reads.spec.ts.`;

/** Whether a selected spec calls this function of libs/testing, which returns the address of a server. */
function specsCall(name: string, { root, chosen, patterns }: Selection & { root: string }): boolean {
  const folders = [
    ...(chosen.includes('unit') ? ['libs', 'services'] : []),
    ...(chosen.includes('resilience') ? ['tests/resilience'] : []),
  ];
  const wanted = patterns.map((pattern) => new RegExp(pattern));
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules'))
    .filter((file) => wanted.length === 0 || wanted.some((pattern) => pattern.test(file)))
    .some((file) => readFileSync(join(root, file), 'utf8').includes(`${name}(`));
}

/** The suites and test files of the command line. */
interface Selection {
  chosen: string[];
  patterns: string[];
}

function parseArguments(args: string[]): Selection & { help: boolean } {
  const { values, positionals } = parseCommandLine('npm test', {
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const chosen = values.only?.split(',') ?? Object.keys(suites);
  const unknown = chosen.find((name) => !Object.hasOwn(suites, name));
  if (unknown !== undefined)
    throw new UserFacingError(`Unknown suite ${unknown}: choose one of ${Object.keys(suites).join(', ')}`);
  return { chosen, patterns: positionals, help: values.help };
}

/** Runs the suites, and counts the seconds of each. */
async function runSuites(
  { chosen, patterns }: Selection,
  context: SuiteContext & { seconds: Record<string, number> },
): Promise<void> {
  const { root, environment, report, seconds } = context;
  const calls = (name: string) => specsCall(name, { root, chosen, patterns });
  const isDistributed = chosen.includes('api-distributed');
  const needs: Record<ProgramNeed, boolean> = {
    redis: chosen.some((name) => !storelessSuites.includes(name)),
    chromium: chosen.includes('browser'),
    prometheus: chosen.includes('tooling'),
    s3: isDistributed || calls('testS3'),
    haproxy: calls('openLoadBalancer'),
    pgbouncer: calls('testPgBouncer'),
  };
  const needed = Object.entries(needs).flatMap(([name, isNeeded]) => (isNeeded ? [name as ProgramNeed] : []));
  await ensurePrograms({ needs: needed, log: console.log });
  if (needs.s3) environment.beginS3();
  if (needs.pgbouncer) environment.beginPgBouncer();
  if (calls('testBaseBuild')) environment.beginBaseBuild();
  // The suite waits for it, and reports its error.
  if (chosen.includes('mcp-clients')) installTools(root, 'tests/mcp-clients').catch(() => undefined);
  if (isDistributed || chosen.includes('resilience') || calls('testMeilisearch'))
    environment.beginMeilisearch();
  const runSuite = async (name: string) => {
    console.log(`\n== ${name}`);
    const startedAt = Date.now();
    try {
      await suites[name]?.(context);
    } catch (error) {
      const text = error instanceof Error && !(error instanceof UserFacingError) ? error.stack : undefined;
      report.fail(`${name}: ${text ?? (error instanceof Error ? error.message : error)}`);
    }
    seconds[name] = Math.round((Date.now() - startedAt) / 1000);
  };
  const isBackground = (name: string) => backgroundSuites.includes(name);
  const background = chosen.filter(isBackground).map(runSuite);
  for (const name of chosen.filter((name) => !isBackground(name))) await runSuite(name);
  await Promise.all(background);
}

/** `npm test`. @returns 1 when a test failed or none passed */
export async function run({ root, args }: CommandOptions): Promise<number> {
  const { help, ...selection } = parseArguments(args);
  if (help) {
    console.log(usage);
    return 0;
  }
  process.once('SIGINT', () => process.exit(130));
  const work = mkdtempSync(join(tmpdir(), 'quire-test-'));
  // PostgreSQL runs as another user and must be able to enter
  chmodSync(work, 0o711);
  const report = new TestReport({ root, work, patterns: selection.patterns });
  const environment = new TestEnvironment({ root, work });
  const { totals, failures } = report;
  const seconds: Record<string, number> = {};
  await runSuites(selection, { root, report, environment, seconds }).catch((error: unknown) =>
    report.fail(error instanceof Error ? error.message : String(error)),
  );
  await environment.close();
  rmSync(work, { recursive: true, force: true });
  const summary = { ...totals, seconds, failures };
  if (process.env.QUIRE_TEST_SUMMARY) writeFileSync(process.env.QUIRE_TEST_SUMMARY, JSON.stringify(summary));
  for (const failure of failures) console.log(`failed: ${failure}`);
  const durations = Object.entries(seconds).map((duration) => duration.join(' '));
  console.log(`\nSeconds of each suite: ${durations.join(', ')}`);
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}
