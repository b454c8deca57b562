import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import type { CommandOptions } from '../command.js';
import { ensurePrograms } from '../process/programs.js';
import { scoreAgents } from './agents/agents.js';
import type { BenchContext } from './context.js';
import { openDatabase, type BenchDatabase } from './database.js';
import { measureGrowth } from './growth/growth.js';
import { measureDownloads } from './import/downloads.js';
import { measureImports } from './import/import.js';
import { Installations } from './installations.js';
import type { Operations } from './load.js';
import { openMcp } from './mcp.js';
import { openMedia } from './media.js';
import { operationNames } from './operations.js';
import { parseOptions, usage, type BenchOptions, type loadNames } from './options.js';
import { PartTimes } from './part-times.js';
import { report } from './report.js';
import { measureOperations, measurePart } from './rounds.js';
import { interruptedRuns } from './schedules/interruptions.js';
import { measureSchedules } from './schedules/schedules.js';
import { openSearch } from './search.js';
import type { RunClosers } from './systems.js';
import { measureTransfers } from './transfer/transfer.js';
import { measureTenants } from './tenants/tenants.js';
import { openUsage } from './usage.js';

/** The parts beside the operations on entries, each in its own rounds. */
const loads: Readonly<Record<(typeof loadNames)[number], (context: BenchContext) => Promise<Operations>>> = {
  media: openMedia,
  usage: openUsage,
  search: openSearch,
  mcp: openMcp,
  // imports libs/testing, which loads a test framework
  authentication: async (context) => (await import('./authentication.js')).openAuthentication(context),
};

/** A run of the benchmark. */
class Bench {
  readonly #options: BenchOptions;
  readonly #work = mkdtempSync(join(tmpdir(), 'quire-bench-'));
  readonly #closers: RunClosers = { systems: [], stores: [] };
  readonly #times = new PartTimes();

  constructor(options: BenchOptions) {
    this.#options = options;
    // PostgreSQL runs as another user and must be able to enter
    chmodSync(this.#work, 0o711);
  }

  #isWanted(name: string): boolean {
    return this.#options.only === undefined || this.#options.only.includes(name);
  }

  async close(): Promise<void> {
    await this.#times.time('stop of all systems', async () => {
      const { systems, stores } = this.#closers;
      for (const closers of [systems, stores]) await Promise.all(closers.map(closeQuietly));
      rmSync(this.#work, { recursive: true, force: true });
    });
    this.#times.print();
  }

  async run(): Promise<void> {
    await ensurePrograms({ needs: ['redis'], log: console.log });
    const database = await this.#times.time('start of PostgreSQL', () =>
      openDatabase(join(this.#work, 'data'), this.#closers.stores),
    );
    const { connections } = this.#options;
    const machine = `${cpus().length} cores, Node ${process.versions.node}, PostgreSQL ${database.version}`;
    console.log(`${machine}; ${connections} connections.`);
    const installations = new Installations({
      database,
      folder: this.#work,
      closers: this.#closers,
      options: this.#options,
      isWanted: (name) => this.#isWanted(name),
    });
    await this.#measureSites(installations, database);
    await this.#measureOthers(installations, database);
  }

  /** The benchmarks on the filled sites. */
  async #measureSites(installations: Installations, database: BenchDatabase): Promise<void> {
    const names = [...operationNames, ...Object.keys(loads), 'agents'];
    if (!names.some((name) => this.#isWanted(name))) return;
    const context = await this.#times.time('systems and their entries', () => installations.context());
    const chosen = this.#chosenOperations(context.single.hasBylines);
    if (chosen.length > 0)
      await this.#times.time('operations', () => measureOperations(chosen, context, this.#options, database));
    for (const [name, open] of Object.entries(loads)) {
      if (!this.#isWanted(name)) continue;
      const operations = await this.#times.time(`${name}, preparation`, () => open(context));
      const results = await this.#times.time(name, () =>
        measurePart(operations, this.#options, database.postmaster),
      );
      await installations.closeBeside();
      report(results);
    }
    if (this.#isWanted('agents')) await this.#times.time('agents', () => scoreAgents(context.single));
  }

  /** The benchmarks on sites of their own. */
  async #measureOthers(installations: Installations, { postmaster }: BenchDatabase): Promise<void> {
    const options = this.#options;
    if (this.#isWanted('import')) {
      const sites = await this.#times.time('import, systems', () => installations.openLimited('import'));
      const size = { posts: options['import-posts'], bytes: options['import-bytes'] };
      await this.#times.time('import', () => measureImports(sites, { size, postmaster }));
      const files = options['import-files'];
      await this.#times.time('import of media', () => measureDownloads(sites, { files, postmaster }));
    }
    if (this.#isWanted('transfer')) {
      const sites = await this.#times.time('transfer, systems', () => installations.openLimited('transfer'));
      const size = { posts: options['transfer-posts'], files: options['transfer-files'] };
      await this.#times.time('transfer', () => measureTransfers(sites, { size, postmaster }));
    }
    if (this.#isWanted('schedules')) await this.#measureSchedules(installations, postmaster);
    if (this.#isWanted('growth')) {
      const {
        growthEntries: sizes,
        'growth-search-entries': maxSearchedEntries,
        writesDocs,
        isBrief,
      } = options;
      const site = await this.#times.time('growth, system', () => installations.uncached());
      await this.#times.time('growth', () =>
        measureGrowth(site, { sizes, maxSearchedEntries, writesDocs, isBrief }),
      );
    }
    // It restarts processes, which the parts of a brief run share.
    if (this.#isWanted('tenants')) await this.#measureTenants(installations, postmaster);
  }

  async #measureTenants(installations: Installations, postmaster: number): Promise<void> {
    const { tenants, seconds, connections, isBrief, writesDocs } = this.#options;
    const sizes = isBrief ? [tenants] : [1, 100, tenants].filter((size) => size <= tenants);
    const site = await this.#times.time('tenants, system', () => installations.manySites());
    await this.#times.time('tenants', () =>
      measureTenants(site, {
        sizes: [...new Set(sizes)],
        seconds,
        connections,
        postmaster,
        isBrief,
        writesDocs,
      }),
    );
  }

  async #measureSchedules(installations: Installations, postmaster: number): Promise<void> {
    const options = this.#options;
    const size = {
      sites: options['schedule-sites'],
      entries: options['schedule-entries'],
      seconds: options['schedule-seconds'],
    };
    const system = await this.#times.time('schedules, system', () => installations.twoWorkers());
    const [worker] = system.processes.worker;
    const redis = await installations.redis();
    const interrupted =
      options.isBrief || worker === undefined ? [] : interruptedRuns({ worker, redis, postmaster });
    await this.#times.time('schedules', () =>
      measureSchedules(system, size, [{ name: 'all workers' }, ...interrupted]),
    );
  }

  #chosenOperations(hasBylines: boolean): string[] {
    const wanted = operationNames.filter((name) => this.#isWanted(name));
    if (hasBylines || !wanted.includes('bylines')) return wanted;
    console.log('This Quire has no routes for bylines (404): the operation bylines is left out.');
    return wanted.filter((name) => name !== 'bylines');
  }
}

const closeQuietly = (close: () => Promise<void>) =>
  close().catch((error: unknown) => console.error(String(error)));

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
