import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMeilisearch } from '../stores/meilisearch.js';
import { startRedis } from '../stores/redis.js';
import type { BenchContext } from './context.js';
import { createDatabase, vacuum, type BenchDatabase } from './database.js';
import { load } from './load.js';
import { mcpSettings } from './mcp.js';
import { maxUploadBytes } from './media.js';
import type { BenchOptions } from './options.js';
import { fillSite, type FilledSite } from './site.js';
import { openSystem, start, type Closers, type RunClosers, type Site } from './systems.js';

export type Arrangement = 'single' | 'distributed';

const poolSize = 10;
const limitedHeapMiB = 256;
/** Of processes whose figures show that they need no larger heap. */
const limitedHeap = {
  NODE_OPTIONS: [
    `--max-old-space-size=${limitedHeapMiB}`,
    `--import=${new URL('./import/source-host.js', import.meta.url).href}`,
  ].join(' '),
};

const once = <Result>(open: () => Promise<Result>): (() => Promise<Result>) => {
  let opened: Promise<Result> | undefined;
  return () => (opened ??= open());
};

/** Starts two systems, one after the other: many processes that start at once exceed their time for a connection. */
async function openInTurn(
  openSingle: () => Promise<Site>,
  openDistributed: () => Promise<Site>,
): Promise<Record<Arrangement, Site>> {
  const single = await openSingle();
  return { single, distributed: await openDistributed() };
}

interface InstallationsOptions {
  database: BenchDatabase;
  /** For the files of servers. */
  folder: string;
  closers: RunClosers;
  options: BenchOptions;
  isWanted: (name: string) => boolean;
}

/** The systems of a run. Each starts when a benchmark first needs it. */
export class Installations {
  readonly single = once(() => this.#open('single', 'quire_single', this.#settings));
  readonly distributed = once(() => this.#open('distributed', 'quire_distributed', this.#settings));
  /** Without cached responses. A brief run checks only that the benchmark works, and starts no further system. */
  readonly uncached = once(() =>
    this.#given.options.isBrief
      ? this.single()
      : this.#open('single', 'quire_uncached', { ...this.#settings, CMS_RESPONSE_CACHE_MB: '0' }),
  );
  /** With queues on Redis and two worker processes, of which a benchmark may kill one. */
  readonly twoWorkers = once(() =>
    this.#given.options.isBrief
      ? this.single()
      : this.#open('two-workers', 'quire_schedules', this.#settings),
  );
  /** As `npm start` runs it. */
  readonly manySites = once(() =>
    this.#given.options.isBrief ? this.single() : this.#open('single', 'quire_tenants', {}),
  );
  readonly context = once(() => this.#openContext());
  /** Of all systems. */
  readonly redis = once(() => this.#startRedis());
  readonly #given: InstallationsOptions;

  readonly #besideClosers: Closers = [];

  constructor(given: InstallationsOptions) {
    this.#given = given;
    given.closers.systems.push(() => this.closeBeside());
  }

  /** Stops the systems on the database of another: their workers would take its jobs, and lack its files. */
  async closeBeside(): Promise<void> {
    await Promise.all(this.#besideClosers.splice(0).map((close) => close()));
  }

  /** In a brief run all benchmarks share two systems, with the heap of the limited ones. */
  get #settings(): Record<string, string> {
    const settings = { CMS_MAX_UPLOAD_BYTES: String(maxUploadBytes), ...mcpSettings };
    return this.#given.options.isBrief ? { ...settings, ...limitedHeap } : settings;
  }

  /** A new site in each arrangement, of systems whose processes have a limited heap. */
  async openLimited(part: 'import' | 'transfer'): Promise<Record<Arrangement, Site>> {
    if (this.#given.options.isBrief) {
      const sites = await openInTurn(this.single, this.distributed);
      return { single: await sites.single.createSite(), distributed: await sites.distributed.createSite() };
    }
    const open = (arrangement: Arrangement) => () =>
      this.#open(arrangement, `quire_${part}_${arrangement}`, limitedHeap);
    return openInTurn(open('single'), open('distributed'));
  }

  async #open(
    arrangement: Arrangement | 'two-workers',
    name: string,
    settings: Record<string, string>,
  ): Promise<Site> {
    const { database, closers, isWanted } = this.#given;
    const isSearched = name === 'quire_distributed' && isWanted('search');
    const [databaseUrl, redis, meilisearch] = await Promise.all([
      createDatabase(database.url, name),
      this.redis(),
      isSearched ? this.#startMeilisearch() : undefined,
    ]);
    return openSystem({
      arrangement,
      databaseUrl,
      redisUrl: redis.url,
      onRedis: arrangement !== 'single',
      closers: closers.systems,
      settings,
      meilisearch,
    });
  }

  async #startRedis() {
    const redis = await startRedis({ dir: join(this.#given.folder, 'redis') });
    this.#given.closers.stores.push(redis.stop);
    return redis;
  }

  async #startMeilisearch() {
    const { access, stop } = await startMeilisearch({ dir: join(this.#given.folder, 'meilisearch') });
    this.#given.closers.stores.push(stop);
    return access;
  }

  /** The compared variants: two Quires, each with a site of the same content, and the baselines. */
  async #openContext(): Promise<BenchContext> {
    const { options } = this.#given;
    const fill = async (opened: Site): Promise<FilledSite> => {
      const site = await fillSite(opened, options.entries);
      await vacuum(site.databaseUrl);
      return site;
    };
    const sites = await openInTurn(this.single, this.distributed);
    const [single, distributed] = await Promise.all([fill(sites.single), fill(sites.distributed)]);
    const { url: redisUrl } = await this.redis();
    const [sameSql, minimal] = await Promise.all([this.#openSameSql(single), this.#openMinimal(single)]);
    const { databaseUrl } = single;
    return {
      variants: { 'same SQL': sameSql, minimal, single, distributed },
      single,
      distributed,
      openBeside: (preload) =>
        openSystem({ arrangement: 'single', databaseUrl, redisUrl, closers: this.#besideClosers, preload }),
      load,
      entryCount: options.entries,
      searchEntryCount: options['search-entries'],
    };
  }

  /** Starts a baseline handler. @returns where and by which process it serves */
  async #startBaseline(script: string, message: object): Promise<Pick<Site, 'origin' | 'processes'>> {
    const { origin, pid } = await start<{ type: 'ready'; origin: string }>({
      script: fileURLToPath(new URL(`baselines/${script}`, import.meta.url)),
      message: { ...message, poolSize },
      closers: this.#given.closers.systems,
    });
    return { origin, processes: { api: [pid], worker: [] } };
  }

  async #openSameSql(site: FilledSite): Promise<FilledSite> {
    const folder = join(this.#given.folder, 'baseline-media');
    return { ...site, ...(await this.#startBaseline('same-sql.js', { site, folder })), headers: {} };
  }

  async #openMinimal(site: FilledSite): Promise<FilledSite> {
    const databaseUrl = await createDatabase(this.#given.database.url, 'quire_minimal');
    const authorization = 'Bearer minimal';
    const message = { databaseUrl, ids: site.ids, authorization };
    const started = await this.#startBaseline('minimal.js', message);
    return { ...site, ...started, databaseUrl, headers: { authorization } };
  }
}
