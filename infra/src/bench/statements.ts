import pg from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { NextRequest } from './load.js';

const requestsCounted = 50;
/** A statement of fewer requests than this belongs to something else: sweeps, polls, expired caches. */
const minShare = 0.1;
/** Time for work after the response. */
const settleMs = 300;

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
  /** Sends requests one after another, and counts their statements without those of background work. */
  count(requests: CountedRequests): Promise<StatementCount>;
  close(): Promise<void>;
}

/**
 * Counts the statements of a server with pg_stat_statements, which records only during a count, so that it does not
 * change the measurements.
 * @param url of a superuser, on a server that has loaded pg_stat_statements
 */
export async function openStatementCounter(url: string): Promise<StatementCounter> {
  // In a database of its own, so that its own statements are not among those it counts.
  const client = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const watch = async (what: 'none' | 'top') => {
    await client.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`);
    await client.query('SELECT pg_reload_conf()');
    // server processes read the setting before their next statement
    await wait(settleMs);
  };
  await watch('none');

  /** How often each statement ran in a database during some work. */
  async function callsDuring(database: string, work: () => Promise<unknown>): Promise<Map<string, number>> {
    await client.query('SELECT pg_stat_statements_reset()');
    await work();
    const { rows } = await client.query<{ query: string; calls: number }>(
      `SELECT query, sum(calls)::integer AS calls FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) GROUP BY query`,
      [database],
    );
    return new Map(rows.map(({ query, calls }) => [query, calls]));
  }

  async function count({ databaseUrl, ...requests }: CountedRequests): Promise<StatementCount> {
    const database = new URL(databaseUrl).pathname.slice(1);
    await watch('top');
    const began = Date.now();
    const sent = await callsDuring(database, () => sendAll(requests));
    const passed = Date.now() - began;
    const idle = await callsDuring(database, () => wait(passed));
    await watch('none');
    const counts = { statements: 0, transaction: 0 };
    for (const [query, calls] of sent) {
      const own = calls - (idle.get(query) ?? 0);
      if (own < requestsCounted * minShare) continue;
      counts[/^(BEGIN|COMMIT)/i.test(query) ? 'transaction' : 'statements'] += own / requestsCounted;
    }
    return counts;
  }

  return { count, close: () => client.end() };
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
