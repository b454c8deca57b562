import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import type { NextRequest } from './load.js';

const requestsCounted = 50;
/** A statement of fewer requests than this belongs to something else: sweeps, polls, expired caches. */
const minShare = 0.1;
/** Time for work after the response. */
const settleMs = 300;
/** For how long the statements of background work are counted. */
const idleMs = 2_000;

interface CountedRequests {
  origin: string;
  headers: Record<string, string>;
  next: () => NextRequest;
  databaseUrl: string;
}

/** Statements a request; `transaction` are BEGIN and COMMIT. */
export interface StatementCount {
  statements: number;
  transaction: number;
}

export interface StatementCounter {
  /**
   * Sends requests one after another, and counts their statements without those of background work. Counts in different
   * databases may run at the same time.
   */
  count(requests: CountedRequests): Promise<StatementCount>;
  /** Ends the recording. */
  close(): Promise<void>;
}

/** Calls by the text of the statement. */
type Calls = ReadonlyMap<string, number>;

/**
 * Counts the statements of a server with pg_stat_statements, which records only until `close`, so that it does not
 * change the measurements.
 * @param url of a superuser, on a server that has loaded pg_stat_statements with `track = 'none'`
 */
export async function openStatementCounter(url: string): Promise<StatementCounter> {
  // In a database of its own, so that its own statements are not among those it counts.
  const pool = new pg.Pool({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const watch = async (what: 'none' | 'top') => {
    await pool.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`);
    await pool.query('SELECT pg_reload_conf()');
    // server processes read the setting before their next statement
    await wait(settleMs);
  };
  await watch('top');

  /** How often each statement ran in a database so far. */
  async function callsIn(database: string): Promise<Calls> {
    const { rows } = await pool.query<{ query: string; calls: number }>(
      `SELECT query, sum(calls)::integer AS calls FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) GROUP BY query`,
      [database],
    );
    return new Map(rows.map(({ query, calls }) => [query, calls]));
  }

  /** How often each statement ran in a database during some work, and how long that took. */
  async function callsDuring(
    database: string,
    work: () => Promise<unknown>,
  ): Promise<{ calls: Calls; milliseconds: number }> {
    const before = await callsIn(database);
    const began = performance.now();
    await work();
    const milliseconds = performance.now() - began;
    const after = await callsIn(database);
    const calls = new Map([...after].map(([query, count]) => [query, count - (before.get(query) ?? 0)]));
    return { calls, milliseconds };
  }

  /** Calls of background work in a millisecond, by database. */
  const idleRates = new Map<string, Calls>();
  async function idleRatesOf(database: string): Promise<Calls> {
    const known = idleRates.get(database);
    if (known) return known;
    const { calls, milliseconds } = await callsDuring(database, () => wait(idleMs));
    const rates = new Map([...calls].map(([query, count]) => [query, count / milliseconds]));
    idleRates.set(database, rates);
    return rates;
  }

  async function count({ databaseUrl, ...requests }: CountedRequests): Promise<StatementCount> {
    const database = new URL(databaseUrl).pathname.slice(1);
    const idle = await idleRatesOf(database);
    const { calls: sent, milliseconds } = await callsDuring(database, () => sendAll(requests));
    const counts = { statements: 0, transaction: 0 };
    for (const [query, calls] of sent) {
      const own = calls - (idle.get(query) ?? 0) * milliseconds;
      if (own < requestsCounted * minShare) continue;
      counts[/^(BEGIN|COMMIT)/i.test(query) ? 'transaction' : 'statements'] += own / requestsCounted;
    }
    return counts;
  }

  const close = async () => {
    await watch('none');
    await pool.end();
  };
  return { count, close };
}

async function sendAll({ origin, headers, next }: Omit<CountedRequests, 'databaseUrl'>): Promise<void> {
  for (let sent = 0; sent < requestsCounted; sent += 1) {
    const { path, method = 'GET', body: text } = next();
    const { statusCode, body } = await request(origin + path, { method, headers, body: text ?? null });
    await body.dump();
    if (statusCode >= 300) throw new Error(`${path}: response ${statusCode}`);
  }
  await wait(settleMs);
}
