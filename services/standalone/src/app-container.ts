import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  ConfigurationError,
  extraDatabaseUrls,
  meilisearchSettings,
  s3Settings,
  type Environment,
  type SiteConfig,
} from '@quire/config';
import { InternalTokenSigner, InternalTokenVerifier, type Secrets } from '@quire/context';
import type { DatabaseOptions, TransactionalDatabase } from '@quire/database';
import { Health } from '@quire/http-server';
import { httpUpstream, type ServiceUpstream } from '@quire/service-client';
import { CacheInvalidationBus, connectQueueBackend, PausedSites, type QueueBackend } from '@quire/jobs';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { createLogger, memoizeFor, Metrics, type Logger } from '@quire/observability';
import { connectRateLimiter, type RateLimiter } from '@quire/rate-limit';
import { readEvictionPolicy } from '@quire/redis';
import { Lifecycle } from '@quire/runtime';
import { connectSearchEngine, type SearchEngine } from '@quire/search-engine';
import { installationHosts, registrySchema, ServiceDatabases, TenantRegistry } from '@quire/tenancy';
import { isTarget, variableName, type DataServiceName, type ServiceName } from '@quire/topology';
import { renderErrorPage } from '@quire/ui';
import { internalKeysOf } from './internal-keys.js';
import { publicAddressOf } from './targets/public-origin.js';
import { version } from './version.js';

const evictionPolicyMs = 60_000;
/** Time to wait for a connection in a process that responds to no requests, such as a command's. */
const programConnectTimeoutMs = 30_000;

/** The components that the targets of one process share. They are opened at their first use. */
export class AppContainer {
  readonly logger: Logger;
  readonly metrics = new Metrics();
  readonly health = new Health(this.metrics);
  readonly lifecycle: Lifecycle;
  /** Secrets shared by all targets of the installation. */
  readonly internalSecrets: Secrets;
  readonly signer: InternalTokenSigner;
  readonly verifier: InternalTokenVerifier;
  /** Services that run in this process, by name. */
  readonly upstreams = new Map<string, ServiceUpstream>();
  private readonly opened = new Map<string, Promise<unknown>>();

  constructor(
    readonly environment: Environment,
    readonly site: SiteConfig,
    /** Targets of this process. */
    readonly targets: readonly string[],
    /** Whose registry and relay this one uses instead of its own. */
    private readonly shared?: Pick<AppContainer, 'registry' | 'relay'>,
  ) {
    this.logger = createLogger({ level: environment.CMS_LOG_LEVEL, targets });
    this.lifecycle = new Lifecycle(this.logger);
    this.metrics.gauge('quire_build_info', { version, targets: targets.join() }, () => 1);
    // A process with all targets shares the secret with no other process.
    this.internalSecrets = environment.CMS_INTERNAL_SECRET ?? [randomBytes(32).toString('hex')];
    const keys = internalKeysOf(environment, this.internalSecrets, targets);
    this.signer = new InternalTokenSigner(keys);
    this.verifier = new InternalTokenVerifier(keys);
  }

  /** Undefined in a process of the installation: a request prefers a 503 to a wait. */
  private get connectTimeoutMs(): number | undefined {
    const isServer = this.shared !== undefined || this.targets.some(isTarget);
    return isServer ? undefined : programConnectTimeoutMs;
  }

  get databaseUrl(): string {
    const url = this.environment.DATABASE_URL;
    if (url === undefined)
      throw new ConfigurationError('DATABASE_URL is not set: start with `npm start`, or name a PostgreSQL');
    return url;
  }

  /** The databases of one service, opened once per process. */
  databases(service: DataServiceName, entities: DatabaseOptions['entities']): Promise<ServiceDatabases> {
    return this.memoize(`databases:${service}`, async () => {
      const variable = variableName(service, 'DATABASE_URL');
      const url = this.environment[variable] ?? this.databaseUrl;
      const databases = await this.openDatabases(service, url, entities, extrasOf(`${variable}_`));
      this.checkHealthOf(databases);
      return databases;
    });
  }

  /** The registry's database, on which the readiness of the process does not depend. */
  registryDatabases(): Promise<ServiceDatabases> {
    return this.memoize('databases:registry', () =>
      this.openDatabases('registry', this.databaseUrl, [], new Map()),
    );
  }

  /** Statements in the tables of the registry. */
  async registryTables(): Promise<TransactionalDatabase> {
    return (await this.registryDatabases()).inSchema(registrySchema);
  }

  /** The registry of tenants. Relay messages invalidate its cache after changes by other processes. */
  registry(): Promise<TenantRegistry> {
    if (this.shared) return this.shared.registry();
    return this.memoize('registry', async () => {
      const databases = await this.registryDatabases();
      this.checkHealthOf(databases);
      const sql = databases.inSchema(registrySchema);
      const registry = new TenantRegistry(sql, installationHosts(publicAddressOf(this.environment)));
      const relay = await this.relay();
      await relay.onInvalidate('tenants', () => registry.drop());
      relay.onReconnect(() => registry.drop());
      this.metrics.gauge('quire_tenants', {}, async () => (await registry.list()).length);
      return registry;
    });
  }

  /** The registry of a process that uses it, without opening it. */
  async openedRegistry(): Promise<TenantRegistry | undefined> {
    return this.opened.get('registry') as Promise<TenantRegistry> | undefined;
  }

  queues(): Promise<QueueBackend> {
    return this.memoize('queues', async () => {
      const { REDIS_URL, CMS_NAMESPACE } = this.environment;
      const backend = connectQueueBackend({
        redisUrl: REDIS_URL,
        databaseUrl: this.databaseUrl,
        pooler: this.environment.CMS_DATABASE_POOLER,
        connectTimeoutMs: this.connectTimeoutMs,
        namespace: CMS_NAMESPACE,
        logger: this.logger,
      });
      this.lifecycle.onShutdown('queues', () => backend.close());
      if (REDIS_URL !== undefined) {
        this.health.add({ name: 'redis', isNeeded: false, check: () => backend.ping() });
        this.watchEvictionPolicy(REDIS_URL);
      }
      return backend;
    });
  }

  /** The sites whose jobs are paused. */
  pausedSites(): Promise<PausedSites> {
    return this.memoize('paused-sites', async () => {
      const registry = await this.registryTables();
      const pausedSites = new PausedSites(registry, this.logger);
      this.lifecycle.onShutdown('paused-sites', () => pausedSites.stop());
      await pausedSites.start();
      return pausedSites;
    });
  }

  /** The rate limiter, whose counts all processes of the installation share. */
  rateLimiter(): Promise<RateLimiter> {
    return this.memoize('rate-limiter', async () => {
      const { REDIS_URL, CMS_NAMESPACE } = this.environment;
      const limiter = await connectRateLimiter({
        redisUrl: REDIS_URL,
        databaseUrl: this.databaseUrl,
        pooler: this.environment.CMS_DATABASE_POOLER,
        namespace: CMS_NAMESPACE,
        logger: this.logger,
      });
      this.lifecycle.onShutdown('rate-limiter', () => limiter.close());
      return limiter;
    });
  }

  /** The store of media files. */
  objectStore(): Promise<ObjectStore> {
    return this.memoize('object-store', async () => {
      const store = await connectObjectStore({
        s3: s3Settings(this.environment),
        folder: join(this.environment.CMS_DATA_DIR, 'media'),
      });
      this.lifecycle.onShutdown('object-store', () => store.close());
      // Creates a missing bucket before the first upload. The readiness check reports a failure.
      store.ping().catch(() => undefined);
      this.health.add({ name: 'object-store', isNeeded: false, check: () => store.ping() });
      return store;
    });
  }

  /** The search engine with the full-text indexes. */
  searchEngine(): Promise<SearchEngine> {
    return this.memoize('search-engine', () => {
      const engine = connectSearchEngine({
        meilisearch: meilisearchSettings(this.environment),
        namespace: this.environment.CMS_NAMESPACE,
      });
      this.lifecycle.onShutdown('search-engine', () => engine.close());
      this.health.add({ name: 'search-engine', isNeeded: false, check: () => engine.ping() });
      return Promise.resolve(engine);
    });
  }

  relay(): Promise<CacheInvalidationBus> {
    if (this.shared) return this.shared.relay();
    return this.memoize('relay', async () => {
      const relay = await CacheInvalidationBus.open({
        backend: await this.queues(),
        name: this.targets.join(','),
      });
      this.lifecycle.onShutdown('relay', () => relay.close());
      const gaps = this.metrics.counter('quire_relay_gaps_total');
      relay.onReconnect(() => gaps.increment({}));
      return relay;
    });
  }

  /**
   * Returns the upstream of a service: in memory if the service runs in this process, else at its address.
   * @throws ConfigurationError when the address of the service or the shared secret is not set
   */
  upstream(service: ServiceName): ServiceUpstream {
    const known = this.upstreams.get(service);
    if (known) return known;
    const variable = variableName(service, 'URL');
    const origin = this.environment[variable];
    if (origin === undefined) {
      throw new ConfigurationError(
        `${variable} is not set: this process does not run ${service} and must know where it listens`,
      );
    }
    if (this.environment.CMS_INTERNAL_SECRET === undefined) {
      throw new ConfigurationError(
        'CMS_INTERNAL_SECRET is not set: targets in separate processes need a common secret',
      );
    }
    const { logger, signer } = this;
    const upstream = httpUpstream(service, origin, { logger, signer, renderError: renderErrorPage });
    this.health.add({ name: service, isNeeded: false, check: () => upstream.ping() });
    this.lifecycle.onShutdown(`upstream:${service}`, () => upstream.close());
    this.upstreams.set(service, upstream);
    return upstream;
  }

  /** Calls `open` once per name and caches its promise. A rejected promise is not cached. */
  memoize<Part>(name: string, open: () => Promise<Part>): Promise<Part> {
    let part = this.opened.get(name) as Promise<Part> | undefined;
    if (!part) {
      part = open();
      this.opened.set(name, part);
      part.catch(() => this.opened.delete(name));
    }
    return part;
  }

  private async openDatabases(
    service: string,
    url: string,
    entities: DatabaseOptions['entities'],
    extraUrls: ReadonlyMap<string, string>,
  ): Promise<ServiceDatabases> {
    const waits = this.metrics.histogram('quire_db_pool_wait_seconds');
    const databases = await ServiceDatabases.open({
      service,
      url,
      extraUrls,
      entities,
      poolSize: this.environment.CMS_DATABASE_POOL_SIZE,
      pooler: this.environment.CMS_DATABASE_POOLER,
      hasSiteRoles: this.environment.CMS_DATABASE_ROLES === 'on',
      servingRole: this.environment.CMS_DATABASE_SERVING_ROLE,
      applicationName: `quire-${service}`,
      connectTimeoutMs: this.connectTimeoutMs,
      onWait: (seconds) => waits.observe({ service }, seconds),
    });
    this.lifecycle.onShutdown(`databases:${service}`, () => databases.close());
    this.observePool(service, databases);
    return databases;
  }

  private checkHealthOf(databases: ServiceDatabases): void {
    for (const key of databases.keys) {
      const name = `database:${databases.service}${key === null ? '' : `:${key}`}`;
      this.health.add({ name, isNeeded: key === null, check: () => databases.ping(key) });
    }
  }

  /** Warns of a Redis that deletes jobs when its memory is full. */
  private watchEvictionPolicy(redisUrl: string): void {
    const read = memoizeFor(evictionPolicyMs, () => readEvictionPolicy(redisUrl));
    this.metrics.gauges('quire_redis_eviction_policy', async () => {
      const policy = await read();
      return policy === undefined ? [] : [[{ policy }, 1]];
    });
    read().then(
      (policy) => {
        if (policy !== undefined && policy !== 'noeviction')
          this.logger.warn(
            { policy },
            'Redis deletes jobs when its memory is full: set maxmemory-policy noeviction',
          );
      },
      // An unreachable Redis is reported by readiness.
      () => undefined,
    );
  }

  private observePool(service: string, databases: ServiceDatabases): void {
    this.metrics.gauges('quire_db_pool_connections', () => {
      const { idle, total } = databases.poolUse;
      return [
        [{ service, state: 'idle' }, idle],
        [{ service, state: 'used' }, total - idle],
      ];
    });
    this.metrics.gauge('quire_db_pool_waiting', { service }, () => databases.poolUse.waiting);
  }
}

/**
 * Extra databases of a service by key. CONTENT_DATABASE_URL_EU1 takes precedence over DATABASE_URL_EU1.
 * @param own prefix of the service's own variables
 */
function extrasOf(own: string): ReadonlyMap<string, string> {
  const shared = 'DATABASE_URL_';
  const urls = new Map<string, string>();
  for (const [name, url] of extraDatabaseUrls())
    if (name.startsWith(shared)) urls.set(name.slice(shared.length), url);
  for (const [name, url] of extraDatabaseUrls())
    if (name.startsWith(own)) urls.set(name.slice(own.length), url);
  return urls;
}
