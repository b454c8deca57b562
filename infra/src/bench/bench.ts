import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import type { CommandOptions } from '../command.js';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.js';
import { ensurePrograms } from '../process/programs.js';
import { startMeilisearch, type MeilisearchAccess } from '../stores/meilisearch.js';
import { startRedis } from '../stores/redis.js';
import { scoreAgents } from './agents/agents.js';
import type { BenchContext } from './context.js';
import { measureDownloads } from './import/downloads.js';
import { measureImports } from './import/import.js';
import { load, type Load, type Measurement, type Operations } from './load.js';
import { mcpSettings, openMcp } from './mcp.js';
import { maxUploadBytes, openMedia } from './media.js';
import { operationNames, requestsOf } from './operations.js';
import { parseOptions, usage, type BenchOptions, type loadNames } from './options.js';
import { cpuSeconds, cpuUse } from './processes.js';
import { report, type Results, type StatementCounts } from './report.js';
import { openSearch } from './search.js';
import { fillSite, type FilledSite } from './site.js';
import { openStatementCounter } from './statements.js';
import { openSystem, start, type Closers, type Site } from './systems.js';
import { measureTransfers } from './transfer/transfer.js';
import { openUsage } from './usage.js';

/** The parts beside the operations on entries, each in its own rounds. */
const parts: Readonly<Record<(typeof loadNames)[number], (context: BenchContext) => Promise<Operations>>> = {
  media: openMedia,
  usage: openUsage,
  search: openSearch,
  mcp: openMcp,
  // imports libs/testing, which loads a test framework
  authentication: async (context) => (await import('./authentication.js')).openAuthentication(context),
};

const connections = 16;
const poolSize = 10;
const limitedHeapMiB = 256;
const sourceHostModule = new URL('./import/source-host.js', import.meta.url).href;

interface Database {
  url: string;
  distributedUrl: string;
  /** The process of the server. */
  postmaster: number;
  version: string;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Does the database's maintenance, so that it does not run during a round. */
const vacuum = (url: string) => withClient(url, (client) => client.query('VACUUM ANALYZE'));

/** Runs a load, and adds the CPU time of the variant's processes and of PostgreSQL. */
async function measure(pid: number, postmaster: number, run: () => Promise<Load>): Promise<Measurement> {
  const before = [cpuUse(pid), cpuUse(postmaster)] as const;
  const result = await run();
  const after = [cpuUse(pid), cpuUse(postmaster)] as const;
  const millisecondsOf = (index: 0 | 1) => (cpuSeconds(before[index], after[index]) * 1000) / result.count;
  return { ...result, serverMs: millisecondsOf(0), databaseMs: millisecondsOf(1) };
}

/** A run of the benchmark. */
class Bench {
  readonly #options: BenchOptions;
  readonly #work = mkdtempSync(join(tmpdir(), 'quire-bench-'));
  readonly #closers: Closers = [];

  constructor(options: BenchOptions) {
    this.#options = options;
    // PostgreSQL runs as another user and must be able to enter
    chmodSync(this.#work, 0o711);
  }

  #isWanted(name: string): boolean {
    return this.#options.only === undefined || this.#options.only.includes(name);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse())
      await close().catch((error: unknown) => console.error(String(error)));
    rmSync(this.#work, { recursive: true, force: true });
  }

  /** PostgreSQL with two databases. */
  async #openDatabase(): Promise<Database> {
    const settings = { shared_preload_libraries: 'pg_stat_statements' };
    const postgres = await startEmbeddedPostgres({ dataDir: join(this.#work, 'data'), settings });
    this.#closers.push(() => postgres.stop());
    return withClient(postgres.url, async (client) => {
      const show = async (name: string) =>
        (await client.query<Record<string, string>>(`SHOW ${name}`)).rows[0]?.[name] ?? '';
      const pidFile = readFileSync(join(await show('data_directory'), 'postmaster.pid'), 'utf8');
      await client.query('CREATE DATABASE quire_distributed');
      return {
        url: postgres.url,
        distributedUrl: Object.assign(new URL(postgres.url), { pathname: '/quire_distributed' }).href,
        postmaster: Number(pidFile.split('\n', 1)[0]),
        version: await show('server_version'),
      };
    });
  }

  async #openMeilisearch(): Promise<MeilisearchAccess> {
    const meilisearch = await startMeilisearch({ dir: join(this.#work, 'meilisearch') });
    this.#closers.push(() => meilisearch.stop());
    return meilisearch.access;
  }

  /** The compared variants: two Quires, each with a site of the same content, and the baseline handler. */
  async #openVariants({ url, distributedUrl }: Database): Promise<BenchContext> {
    const closers = this.#closers;
    const settings = { CMS_MAX_UPLOAD_BYTES: String(maxUploadBytes), ...mcpSettings };
    const redis = await startRedis({ dir: join(this.#work, 'redis') });
    closers.push(() => redis.stop());
    const open = async (
      arrangement: 'single' | 'distributed',
      databaseUrl: string,
      meilisearch?: MeilisearchAccess,
    ): Promise<FilledSite> => {
      const system = { arrangement, databaseUrl, redisUrl: redis.url, closers, settings, meilisearch };
      const site = await fillSite(await openSystem(system), this.#options.entries);
      await vacuum(databaseUrl);
      return site;
    };
    const single = await open('single', url);
    const meilisearch = this.#isWanted('search') ? await this.#openMeilisearch() : undefined;
    const distributed = await open('distributed', distributedUrl, meilisearch);
    const { origin, pid } = await start<{ type: 'ready'; origin: string }>({
      script: fileURLToPath(new URL('baseline.js', import.meta.url)),
      message: { site: single, poolSize, folder: join(this.#work, 'baseline-media') },
      closers,
    });
    const baseline = { ...single, origin, pid, headers: {} };
    return {
      variants: { baseline, single, distributed },
      single,
      distributed,
      redisUrl: redis.url,
      closers,
      load,
      entryCount: this.#options.entries,
      searchEntryCount: this.#options['search-entries'],
    };
  }

  /** Whether a round counts: all but the first, or the first when there is no other. */
  #isCounted(round: number): boolean {
    return round >= Math.min(this.#options.rounds, 1);
  }

  /** Measures one part: all variants of an operation in turn, in another order each round. */
  async #measurePart(operations: Operations, postmaster: number): Promise<Results> {
    const { rounds, seconds } = this.#options;
    const results: Results = {};
    for (const [operation, runnables] of Object.entries(operations)) {
      const measurements = (results[operation] = emptyRounds(runnables));
      for (let round = 0; round <= rounds; round += 1) {
        for (const [name, { pid, run, clear }] of shuffledEntries(runnables)) {
          const measured = await measure(pid, postmaster, () => run(seconds, connections));
          await clear?.(measured);
          if (this.#isCounted(round)) measurements[name]?.push(measured);
        }
      }
    }
    return results;
  }

  /** Measures the operations on entries, and prints their table. */
  async #measureOperations({ variants }: BenchContext, { url, postmaster }: Database): Promise<void> {
    const { rounds, seconds } = this.#options;
    const chosen = this.#chosenOperations(variants.single);
    const results: Results = {};
    for (const operation of chosen) results[operation] = emptyRounds(variants);
    let statements: StatementCounts = {};
    for (let round = 0; round <= rounds; round += 1) {
      for (const operation of chosen) {
        for (const [name, variant] of shuffledEntries(variants)) {
          const { origin, pid } = variant;
          const label = `${operation} (${name})`;
          const requests = { label, origin, ...requestsOf(operation, name, variant), seconds, connections };
          const measured = await measure(pid, postmaster, () => load(requests));
          if (this.#isCounted(round)) results[operation]?.[name]?.push(measured);
        }
      }
      if (round === 0) statements = await countStatements(chosen, variants, url);
      process.stdout.write(round === 0 ? 'Warmed up, statements counted. ' : `Round ${round}. `);
    }
    console.log();
    report(results, statements);
  }

  #chosenOperations({ hasBylines }: FilledSite): string[] {
    const wanted = operationNames.filter((name) => this.#isWanted(name));
    if (hasBylines || !wanted.includes('bylines')) return wanted;
    console.log('This Quire has no routes for bylines (404): the operation bylines is left out.');
    return wanted.filter((name) => name !== 'bylines');
  }

  /**
   * Measures a part on systems of its own with a limited heap: the figures show that the processes need no more. The
   * systems stop afterwards, because the database has connections for those of one part only.
   * @param options Node options of the processes
   */
  async #onLimitedSystems(
    part: 'import' | 'transfer',
    { url, redisUrl, options = '' }: { url: string; redisUrl: string; options?: string },
    measurePart: (sites: Record<string, Site>) => Promise<void>,
  ): Promise<void> {
    const settings = { NODE_OPTIONS: `--max-old-space-size=${limitedHeapMiB} ${options}` };
    const sites: Record<string, Site> = {};
    const opened = this.#closers.length;
    for (const arrangement of ['single', 'distributed'] as const) {
      const database = `quire_${part}_${arrangement}`;
      await withClient(url, (client) => client.query(`CREATE DATABASE ${database}`));
      const databaseUrl = Object.assign(new URL(url), { pathname: `/${database}` }).href;
      const closers = this.#closers;
      sites[arrangement] = await openSystem({ arrangement, databaseUrl, redisUrl, closers, settings });
    }
    await measurePart(sites);
    for (const close of this.#closers.splice(opened).reverse()) await close();
  }

  async #measureImports({ url, postmaster }: Database, redisUrl: string): Promise<void> {
    const preload = { url, redisUrl, options: `--import=${sourceHostModule}` };
    const options = this.#options;
    const size = { posts: options['import-posts'], bytes: options['import-bytes'] };
    await this.#onLimitedSystems('import', preload, async (sites) => {
      await measureImports(sites, { size, postmaster });
      await measureDownloads(sites, { files: options['import-files'], postmaster });
    });
  }

  async #measureTransfers({ url, postmaster }: Database, redisUrl: string): Promise<void> {
    const options = this.#options;
    const size = { posts: options['transfer-posts'], files: options['transfer-files'] };
    await this.#onLimitedSystems('transfer', { url, redisUrl }, (sites) =>
      measureTransfers(sites, { size, postmaster }),
    );
  }

  async run(): Promise<void> {
    await ensurePrograms({ needs: ['redis'], log: console.log });
    const database = await this.#openDatabase();
    const machine = `${cpus().length} cores, Node ${process.versions.node}, PostgreSQL ${database.version}`;
    console.log(`${machine}; ${connections} connections. Creating the entries…`);
    const context = await this.#openVariants(database);
    await this.#measureOperations(context, database);
    for (const [name, open] of Object.entries(parts))
      if (this.#isWanted(name)) report(await this.#measurePart(await open(context), database.postmaster));
    if (this.#isWanted('agents')) await scoreAgents(context.single);
    if (this.#isWanted('import')) await this.#measureImports(database, context.redisUrl);
    if (this.#isWanted('transfer')) await this.#measureTransfers(database, context.redisUrl);
  }
}

const emptyRounds = (variants: object): Record<string, Measurement[]> =>
  Object.fromEntries(Object.keys(variants).map((name) => [name, []]));

const shuffledEntries = <T>(record: Record<string, T>): [string, T][] =>
  Object.entries(record).sort(() => Math.random() - 0.5);

/** Statements a request, of every chosen operation on every variant. */
async function countStatements(
  chosen: readonly string[],
  variants: BenchContext['variants'],
  url: string,
): Promise<StatementCounts> {
  const counter = await openStatementCounter(url);
  const counts: StatementCounts = {};
  for (const operation of chosen) {
    const own = (counts[operation] = {} as StatementCounts[string]);
    for (const [name, variant] of Object.entries(variants)) {
      const { origin, databaseUrl } = variant;
      own[name] = await counter.count({ origin, databaseUrl, ...requestsOf(operation, name, variant) });
    }
  }
  await counter.close();
  return counts;
}

/** `npm run bench`. @returns 1 after an error */
export async function run({ args }: CommandOptions): Promise<number> {
  const options = parseOptions(args);
  if (!options) {
    console.log(usage);
    return 0;
  }
  const bench = new Bench(options);
  let code = 0;
  await bench.run().catch((error: unknown) => {
    console.error(error instanceof UserFacingError ? error.message : error);
    code = 1;
  });
  await bench.close();
  if (process.env.QUIRE_BENCH_SUMMARY)
    writeFileSync(process.env.QUIRE_BENCH_SUMMARY, JSON.stringify({ passed: 1 - code, failed: code }));
  return code;
}
