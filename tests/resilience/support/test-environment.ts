import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import {
  eventually,
  createTcpProxy,
  openSite,
  statusAndCode,
  testMeilisearch,
  testStores,
  type ApiResponse,
  type Site,
  type TcpProxy,
  type TestS3,
  type TestSystem,
} from '@quire/testing';
import pg from 'pg';

interface TestEnvironmentOptions {
  arrangement: 'single' | 'many-workers' | 'no-workers' | 'media-separate';
  /** Whether its processes log all they can, to be read with `log`. */
  capturesLog?: boolean;
  /** Queues on Redis instead of PostgreSQL. */
  onRedis?: boolean;
  /** Media on an S3 server instead of a folder. */
  s3?: TestS3;
  /** Search on Meilisearch instead of PostgreSQL. */
  onMeilisearch?: boolean;
  /** Further variables of its processes. */
  settings?: Record<string, string>;
}

/** A process of the testEnvironment. */
export interface RunningProcess {
  targets: string[];
  pid: number;
  port: number;
}

interface RunningSystem {
  processes: RunningProcess[];
  dataDir: string;
  /** Of media, where they are on an S3 server. */
  bucket?: string;
}

// Every test starts a whole system: on a busy machine that alone can take half a minute.
jest.setTimeout(120_000);

const program = fileURLToPath(new URL('../../system/system.mjs', import.meta.url));

const open = new Set<TestEnvironment>();

/** Ends what a test opened, also when opening it got only half way. */
export async function closeEnvironments(): Promise<void> {
  for (const testEnvironment of open) await testEnvironment.close();
}

/** A system of its own whose stores can be cut off and whose workers can be killed. */
export class TestEnvironment {
  private readonly sites: Site[] = [];
  private readonly logged: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly system: TestSystem,
    readonly database: TcpProxy,
    readonly redis: TcpProxy,
    /** To Meilisearch, where it is used. */
    readonly meilisearch: TcpProxy,
    /** Connects to the database directly, bypassing the proxy. */
    readonly sql: pg.Pool,
  ) {}

  static async open({
    arrangement,
    onRedis = false,
    onMeilisearch = false,
    capturesLog = false,
    s3,
    settings,
  }: TestEnvironmentOptions): Promise<TestEnvironment> {
    const stores = testStores();
    const direct = await newDatabase(stores.databaseUrl);
    const { url, key } = testMeilisearch();
    const proxies = await Promise.all([direct.href, stores.redisUrl, url].map(createTcpProxy));
    const [database, redis, meilisearch] = proxies as [TcpProxy, TcpProxy, TcpProxy];
    // Outages are what these suites make; their many log lines would bury the results.
    const options = {
      logLevel: capturesLog ? 'trace' : 'fatal',
      arrangement,
      onRedis,
      s3,
      settings,
      databaseUrl: database.url,
      redisUrl: redis.url,
      ...(onMeilisearch ? { meilisearch: { url: new URL(meilisearch.url).origin, key } } : {}),
    };
    const output = capturesLog ? 'pipe' : 'inherit';
    const child = fork(program, { stdio: ['ignore', output, output, 'ipc'], execArgv: [] });
    child.send(options);
    const ended = once(child, 'exit').then(() => [{ type: 'failed', message: 'the process exited' }]);
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [
      { type: string; message?: string; system: TestSystem },
    ];
    if (answer.type !== 'ready') {
      for (const proxy of proxies) await proxy.disconnect();
      throw new Error(`The testEnvironment did not start: ${answer.message}`);
    }
    const sql = new pg.Pool({ connectionString: direct.href, max: 2 });
    const testEnvironment = new TestEnvironment(child, answer.system, database, redis, meilisearch, sql);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => testEnvironment.logged.push(chunk.toString()));
    open.add(testEnvironment);
    return testEnvironment;
  }

  /** What its processes have written so far, where it is kept. */
  get log(): string {
    return this.logged.join('');
  }

  /** A site on this system, closed with it. */
  async openSite(): Promise<Site> {
    const site = await openSite(this.system);
    this.sites.push(site);
    return site;
  }

  /** Tells the operator's side to do something: '/workers/start', '/tenants'. */
  async control<Result>(path: string, body: object = {}): Promise<Result> {
    const answer = await fetch(this.system.control + path, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Result;
  }

  /** What runs in it, and where its media are. */
  installation(): Promise<RunningSystem> {
    return this.control('/installation');
  }

  /** The process that serves requests. */
  server(): Promise<RunningProcess> {
    return this.processOf('gateway');
  }

  /** The process that runs a target. */
  async processOf(target: string): Promise<RunningProcess> {
    const { processes } = await this.installation();
    const found = processes.find(({ targets }) => targets.includes(target));
    if (!found) throw new Error(`No process of the testEnvironment runs ${target}`);
    return found;
  }

  /** Stops every process as an operator would; the stores stay. */
  async stopSystem(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.send({ type: 'stop' });
    await ended;
  }

  async close(): Promise<void> {
    open.delete(this);
    for (const site of this.sites) await site.close();
    await this.stopSystem();
    await this.sql.end();
    await this.database.disconnect();
    await this.redis.disconnect();
    await this.meilisearch.disconnect();
  }
}

/** A database that no other testEnvironment, in this file or another, has. */
async function newDatabase(server: string): Promise<URL> {
  const name = `lab_${randomBytes(6).toString('hex')}`;
  const maker = new pg.Client({ connectionString: server });
  await maker.connect();
  try {
    await maker.query(`CREATE DATABASE ${name}`);
  } finally {
    await maker.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url;
}

/** Waits for something to become so. @throws Error when it does not in time. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | null | false>,
  withinMs = 20_000,
): Promise<Value> {
  const value = await eventually(look, isThere, withinMs);
  if (isThere(value)) return value;
  throw new Error(`Timed out waiting for: ${what}`);
}

function isThere<Value>(value: Value | undefined | null | false): value is Value {
  return value !== undefined && value !== null && value !== false;
}

/**
 * Sends what a test needs done before it begins, again while the answer is that it cannot be done now, as a client is
 * told to.
 * @throws Error for every other answer than a success.
 */
export async function done(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const answer = await until('a success', async () => {
    const sent = await send();
    return sent.status !== 503 && sent;
  });
  if (answer.status >= 300)
    throw new Error(`The request failed: ${statusAndCode(answer).join(' ')} ${answer.error.message}`);
  return answer;
}
