import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.js';
import { buildBaseCommit, type BaseBuild } from './base-build.js';
import { startMeilisearch, type MeilisearchAccess } from '../stores/meilisearch.js';
import { startPgBouncer, type PoolMode } from '../stores/pgbouncer.js';
import { startRedis } from '../stores/redis.js';
import { startS3, type S3Access } from '../stores/s3.js';

const stopTimeoutMs = 60_000;

interface Server<Access> {
  access: Access;
  stop(): Promise<void>;
}

interface StoreAddresses {
  databaseUrl: string;
  redisUrl: string;
}

/** Addresses of PgBouncer by its mode. */
type PgBouncerAccess = Record<PoolMode, string>;

/** The first message of `tests/system/system.mjs`. */
type SystemMessage = { type: 'ready'; system: unknown } | { type: 'failed'; message: string };

/** Kills a stopping process after a timeout. */
async function killAfterTimeout(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  const killTimer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(killTimer);
}

/** The stores and systems of a run: each is started at its first use, and stopped by `close`. */
export class TestEnvironment {
  readonly #root: string;
  readonly #work: string;
  readonly #closers: (() => Promise<void>)[] = [];
  #stores: Promise<StoreAddresses> | undefined;
  #s3: Promise<Server<S3Access>> | undefined;
  #meilisearch: Promise<Server<MeilisearchAccess>> | undefined;
  #pgBouncer: Promise<Server<PgBouncerAccess>> | undefined;
  #baseBuild: Promise<Server<BaseBuild>> | undefined;
  #systems = 0;

  /** @param options.work the folder of all data */
  constructor({ root, work }: { root: string; work: string }) {
    this.#root = root;
    this.#work = work;
  }

  /** Real PostgreSQL and Redis. */
  stores(): Promise<StoreAddresses> {
    return (this.#stores ??= this.#startStores());
  }

  async #startStores(): Promise<StoreAddresses> {
    // A commit reaches the operating system, which survives every process that a test kills.
    // Systems of several suites share the server.
    const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '400' };
    const postgres = await startEmbeddedPostgres({ dataDir: join(this.#work, 'postgres'), settings });
    this.#closers.push(() => postgres.stop());
    const redis = await startRedis({ dir: join(this.#work, 'redis') });
    this.#closers.push(() => redis.stop());
    return { databaseUrl: postgres.url, redisUrl: redis.url };
  }

  /** Starts the S3 server in the background. */
  beginS3(): void {
    this.#s3 = this.#begin(startS3({ dir: join(this.#work, 's3') }));
  }

  /** Starts Meilisearch in the background. */
  beginMeilisearch(): void {
    this.#meilisearch = this.#begin(startMeilisearch({ dir: join(this.#work, 'meilisearch') }));
  }

  /** Builds the previous version in the background. */
  beginBaseBuild(): void {
    const built = buildBaseCommit({ root: this.#root, folder: join(this.#work, 'previous') });
    this.#baseBuild = this.#begin(built.then((access) => ({ access, stop: async () => {} })));
  }

  /** Starts PgBouncer in front of PostgreSQL in the background, once for each mode. */
  beginPgBouncer(): void {
    this.#pgBouncer = this.#begin(this.#startPgBouncers());
  }

  async #startPgBouncers(): Promise<Server<PgBouncerAccess>> {
    const { databaseUrl } = await this.stores();
    const start = (poolMode: PoolMode) =>
      startPgBouncer({ dir: join(this.#work, `pgbouncer-${poolMode}`), databaseUrl, poolMode });
    const session = await start('session');
    const transaction = await start('transaction');
    return {
      access: { session: session.url, transaction: transaction.url },
      async stop() {
        await Promise.all([session.stop(), transaction.stop()]);
      },
    };
  }

  #begin<Access>(server: Promise<Server<Access>>): Promise<Server<Access>> {
    // a failure is reported to the suites that need the server
    server.catch(() => undefined);
    this.#closers.push(async () => (await server.catch(() => undefined))?.stop());
    return server;
  }

  /** Access to the servers that were begun. @param onError gets the error of a server that did not start */
  async servers(onError: (error: unknown) => void): Promise<{
    s3: S3Access | undefined;
    meilisearch: MeilisearchAccess | undefined;
    pgBouncer: PgBouncerAccess | undefined;
    baseBuild: BaseBuild | undefined;
  }> {
    const accessOf = async <Access>(server: Promise<Server<Access>> | undefined) => {
      try {
        return (await server)?.access;
      } catch (error) {
        onError(error);
        return undefined;
      }
    };
    return {
      s3: await accessOf(this.#s3),
      meilisearch: await accessOf(this.#meilisearch),
      pgBouncer: await accessOf(this.#pgBouncer),
      baseBuild: await accessOf(this.#baseBuild),
    };
  }

  /** Creates a database, so that suites do not share one. @returns its address */
  async createDatabase(name: string): Promise<string> {
    const { databaseUrl } = await this.stores();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  }

  /**
   * Starts a whole system in an arrangement; see `tests/system`. The distributed one stores media on S3 and searches on
   * Meilisearch.
   * @param node path of the Node.js that runs its processes
   * @throws UserFacingError when a server that it needs was not begun
   */
  async startSystem(
    arrangement: string,
    node = process.execPath,
  ): Promise<{ system: unknown; stop: () => Promise<void> }> {
    const { redisUrl } = await this.stores();
    const isDistributed = arrangement === 'distributed';
    const s3 = isDistributed ? await requireServer('s3', this.#s3) : undefined;
    const meilisearch = isDistributed ? await requireServer('meilisearch', this.#meilisearch) : undefined;
    this.#systems += 1;
    const databaseUrl = await this.createDatabase(`quire_${arrangement}_${this.#systems}`);
    const child = fork(join(this.#root, 'tests/system/system.mjs'), {
      cwd: this.#root,
      execPath: node,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.send({ arrangement, databaseUrl, redisUrl, s3, meilisearch });
    const exited = once(child, 'exit');
    const message = await Promise.race([
      once(child, 'message').then(([received]): SystemMessage => received),
      exited.then((): SystemMessage => ({ type: 'failed', message: 'the process exited' })),
    ]);
    if (message.type !== 'ready') throw new Error(`The system under test did not start: ${message.message}`);
    const stop = async () => {
      if (child.connected) child.send({ type: 'stop' });
      await killAfterTimeout(child, exited);
    };
    this.#closers.push(stop);
    return {
      system: message.system,
      stop: async () => {
        this.#closers.splice(this.#closers.indexOf(stop), 1);
        await stop();
      },
    };
  }

  /** Stops everything, the last started first. */
  async close(): Promise<void> {
    for (const close of this.#closers.reverse())
      await close().catch((error: unknown) => console.error(String(error)));
  }
}

async function requireServer<Access>(
  name: string,
  server: Promise<Server<Access>> | undefined,
): Promise<Access> {
  if (!server) throw new UserFacingError(`The server ${name} was not started`);
  return (await server).access;
}
