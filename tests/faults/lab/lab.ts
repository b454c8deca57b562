import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testStores, type TestSystem } from '@quire/testing';
import pg from 'pg';
import { CuttableProxy } from './cuttable-proxy.js';

interface LabOptions {
  arrangement: 'together' | 'crowd' | 'workerless';
  /** Queues on Redis instead of PostgreSQL. */
  onRedis?: boolean;
}

const program = fileURLToPath(new URL('../../system/system.mjs', import.meta.url));
let count = 0;

/** A system of its own whose stores can be cut off and whose workers can be killed. */
export class Lab {
  private constructor(
    private readonly child: ChildProcess,
    readonly system: TestSystem,
    readonly database: CuttableProxy,
    readonly redis: CuttableProxy,
    /** Straight to the database, past the proxy. */
    readonly sql: pg.Pool,
  ) {}

  static async open({ arrangement, onRedis = false }: LabOptions): Promise<Lab> {
    const stores = testStores();
    const name = `lab_${process.pid}_${(count += 1)}`;
    const maker = new pg.Client({ connectionString: stores.databaseUrl });
    await maker.connect();
    await maker.query(`CREATE DATABASE ${name}`);
    await maker.end();
    const direct = new URL(stores.databaseUrl);
    direct.pathname = `/${name}`;
    const database = new CuttableProxy(direct);
    const redis = new CuttableProxy(new URL(stores.redisUrl));
    // Outages are what these suites make; their many log lines would bury the results.
    const options = {
      logLevel: 'fatal',
      arrangement,
      onRedis,
      databaseUrl: await database.open(),
      redisUrl: await redis.open(),
    };
    const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
    child.send(options);
    const [answer] = (await once(child, 'message')) as [
      { type: string; message?: string; system: TestSystem },
    ];
    if (answer.type !== 'ready') throw new Error(answer.message);
    return new Lab(
      child,
      answer.system,
      database,
      redis,
      new pg.Pool({ connectionString: direct.href, max: 2 }),
    );
  }

  /** Tells the operator's side to do something: '/workers/start', '/tenants'. */
  async control<Result>(path: string, body: object = {}): Promise<Result> {
    const answer = await fetch(this.system.control + path, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Result;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.send({ type: 'stop' });
    await ended;
    await this.sql.end();
    await this.database.cut();
    await this.redis.cut();
  }
}

/** Waits for something to become so. @throws Error when it does not in time. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | null | false>,
  withinMs = 20_000,
): Promise<Value> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > end) throw new Error(`It did not happen in time: ${what}`);
    await wait(50);
  }
}
