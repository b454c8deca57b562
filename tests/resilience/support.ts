import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  eventually,
  createTcpProxy,
  openSite,
  statusAndCode,
  testMeilisearch,
  testStores,
  useFixture,
  type ApiResponse,
  type Site,
  type SiteOptions,
  type TcpProxy,
  type TestS3,
  type TestSystem,
} from '@quire/testing';
import pg from 'pg';

export interface TestEnvironmentOptions {
  arrangement:
    | 'single'
    | 'distributed'
    | 'many-workers'
    | 'two-servers'
    | 'no-workers'
    | 'media-separate'
    | 'transfer-separate';
  /** Whether its processes log at the level trace, to be read with `log`. */
  capturesLog?: boolean;
  /** Queues on Redis instead of PostgreSQL. */
  onRedis?: boolean;
  /** Address of its PostgreSQL server (default: that of all tests). */
  postgres?: string;
  /** Address at which its processes reach PostgreSQL, such as that of a pooler (default: PostgreSQL itself). */
  databaseServer?: string;
  /** Media on an S3 server instead of a folder. */
  s3?: TestS3;
  /** Search on Meilisearch instead of PostgreSQL. */
  onMeilisearch?: boolean;
  /** Further variables of its processes. */
  settings?: Record<string, string>;
}

/** A process of the test environment. */
export interface RunningProcess {
  targets: string[];
  pid: number;
  port: number;
  opsPort: number;
}

interface RunningSystem {
  processes: RunningProcess[];
  dataDir: string;
  /** Bucket of media, if they are on an S3 server. */
  bucket?: string;
}

const program = fileURLToPath(new URL('../system/system.mjs', import.meta.url));

const open = new Set<TestEnvironment>();

/** Closes all open environments, also partially opened ones. */
export async function closeEnvironments(): Promise<void> {
  for (const testEnvironment of open) await testEnvironment.close();
}

/** A separate system whose stores can be disconnected and whose workers can be killed. */
export class TestEnvironment {
  private readonly sites: Site[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly system: TestSystem,
    readonly database: TcpProxy,
    readonly redis: TcpProxy,
    /** Proxy of Meilisearch, if it is used. */
    readonly meilisearch: TcpProxy,
    private readonly logged: readonly string[],
    /** Connects to the database directly, bypassing the proxy. */
    readonly sql: pg.Pool,
  ) {}

  static async open({
    arrangement,
    onRedis = false,
    onMeilisearch = false,
    capturesLog = false,
    postgres,
    databaseServer,
    s3,
    settings,
  }: TestEnvironmentOptions): Promise<TestEnvironment> {
    const stores = testStores();
    const direct = await newDatabase(postgres ?? stores.databaseUrl);
    const { url, key } = testMeilisearch();
    const served = new URL(direct.pathname, databaseServer ?? direct);
    const proxies = await Promise.all(
      [served.href, stores.redisUrl, url].map((address) => createTcpProxy(address)),
    );
    const [database, redis, meilisearch] = proxies as [TcpProxy, TcpProxy, TcpProxy];
    // The suites cause outages, whose log lines would hide the results.
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
    // Read from the start: processes stop at a write to a full pipe.
    const logged: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => logged.push(chunk.toString()));
    child.send(options);
    const ended = once(child, 'exit').then(() => [{ type: 'failed', message: 'the process exited' }]);
    const [response] = (await Promise.race([once(child, 'message'), ended])) as [
      { type: string; message?: string; system: TestSystem },
    ];
    if (response.type !== 'ready') {
      for (const proxy of proxies) await proxy.disconnect();
      throw new Error(`The test environment did not start: ${response.message}`);
    }
    const sql = new pg.Pool({ connectionString: direct.href, max: 2 });
    const testEnvironment = new TestEnvironment(
      child,
      response.system,
      database,
      redis,
      meilisearch,
      logged,
      sql,
    );
    open.add(testEnvironment);
    return testEnvironment;
  }

  /** Output of its processes so far, with `capturesLog`. */
  get log(): string {
    return this.logged.join('');
  }

  /** A site on this system, closed with it. */
  async openSite(options?: SiteOptions): Promise<Site> {
    const site = await openSite(this.system, options);
    this.sites.push(site);
    return site;
  }

  /** Sends a request to the control server, such as '/workers/start' or '/tenants'. */
  async control<Result>(path: string, body: object = {}): Promise<Result> {
    const response = await fetch(this.system.control + path, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Result;
  }

  /** Its running processes, and the location of its media. */
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
    if (!found) throw new Error(`No process of the test environment runs ${target}`);
    return found;
  }

  /** Stops every process gracefully, and keeps the stores. */
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

/** Opens a test environment for a file, and closes it after the tests. */
export function useTestEnvironment(options: TestEnvironmentOptions): TestEnvironment {
  return useFixture(() => TestEnvironment.open(options));
}

/** Creates a database for one test environment, on the server of an address. */
export async function newDatabase(server: string): Promise<URL> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url;
}

/** Waits until a value is present. @throws Error on a timeout */
export async function waitUntil<Value>(
  description: string,
  read: () => Promise<Value | undefined | null | false>,
  withinMs = 60_000,
): Promise<Value> {
  const value = await eventually(read, isPresent, withinMs);
  if (isPresent(value)) return value;
  throw new Error(`Timed out waiting for: ${description}`);
}

function isPresent<Value>(value: Value | undefined | null | false): value is Value {
  return value !== undefined && value !== null && value !== false;
}

/** Sends a request of a set-up, and retries it while the status is 503. @throws Error for every other failure */
export async function sendUntilAvailable(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await waitUntil('a success', async () => {
    const attempt = await send();
    return attempt.status !== 503 && attempt;
  });
  if (response.status >= 300)
    throw new Error(`The request failed: ${statusAndCode(response).join(' ')} ${response.error.message}`);
  return response;
}

/** Peak memory of a process since the last call, in MiB. */
export async function peakMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  // Resets the peak.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Fault of the store. `unreachable`: connections break. `silent`: requests get no response. `full`: writes return 507.
 * `late failure`: the body of a 200 response is an error, as S3 reports a failure after the headers were sent.
 */
export type FaultMode = 'none' | 'unreachable' | 'silent' | 'full' | 'late failure';

const failure = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>injected fault</Message></Error>`;

/** A proxy in front of a real S3 server that injects faults. */
export class FaultInjectingS3 {
  faultMode: FaultMode = 'none';
  /** Requests that are rejected with 403. */
  isForbidden: (request: IncomingMessage) => boolean = () => false;
  private server: Server | undefined;
  private delays: {
    isMatch: (request: IncomingMessage) => boolean;
    arrived: (release: () => void) => void;
  }[] = [];

  constructor(private readonly target: URL) {}

  /** @returns its origin */
  async open(): Promise<string> {
    this.server = createServer((request, response) => this.handle(request, response));
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    this.server?.closeAllConnections();
    await closed;
  }

  /** Delays the next matching request. @returns a function that releases it, once it has arrived */
  async delayNext(isMatch: (request: IncomingMessage) => boolean): Promise<() => void> {
    return new Promise((arrived) => this.delays.push({ isMatch, arrived }));
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const delay = this.delays.find(({ isMatch }) => isMatch(request));
    if (delay) {
      this.delays = this.delays.filter((each) => each !== delay);
      return delay.arrived(() => this.handle(request, response));
    }
    if (this.isForbidden(request)) return reject(request, response, 403, 'AccessDenied');
    if (this.faultMode === 'unreachable') return void request.socket.destroy();
    if (this.faultMode === 'silent') return void request.resume();
    if (this.faultMode === 'full' && isWrite(request))
      return reject(request, response, 507, 'XMinioStorageFull');
    if (this.faultMode === 'late failure' && isCompletion(request))
      return reject(request, response, 200, 'InternalError');
    this.forward(request, response);
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    // The signature covers the Host header, which stays as it is.
    const { hostname, port } = this.target;
    const outgoing = sendRequest({ hostname, port, method, path: url, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    request.pipe(outgoing);
  }
}

const isWrite = ({ method }: IncomingMessage) => method === 'PUT' || method === 'POST';
/** Copies and completed multipart uploads: S3 returns 200 before they are done. */
const isCompletion = ({ method, url = '', headers }: IncomingMessage) =>
  'x-amz-copy-source' in headers || (method === 'POST' && url.includes('uploadId='));

function reject(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume().once('end', () => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(failure(code));
  });
}
