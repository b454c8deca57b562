import pg from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';

const requestsCounted = 50;
/** What runs for fewer of the requests than this belongs to something else: sweeps, polls, expired caches. */
const minShare = 0.1;
/** Time for what requests leave to be done after their answer. */
const settleMs = 300;

/**
 * Counts the statements that a server runs, as PostgreSQL's pg_stat_statements sees them. It watches only while it
 * counts, so that it costs the measurements nothing.
 * @param url of a superuser, on a server that has loaded pg_stat_statements
 */
export async function openStatementCounter(url) {
  // In a database of its own, so that its own statements are not among those it counts.
  const client = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const watch = async (what) => {
    await client.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`);
    await client.query('SELECT pg_reload_conf()');
    // Servers' processes learn of it when they next have something to do.
    await wait(settleMs);
  };
  await watch('none');

  /** How often each statement ran in a database during some work. */
  async function callsDuring(database, work) {
    await client.query('SELECT pg_stat_statements_reset()');
    await work();
    const { rows } = await client.query(
      `SELECT query, sum(calls)::integer AS calls FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) GROUP BY query`,
      [database],
    );
    return new Map(rows.map(({ query, calls }) => [query, calls]));
  }

  /**
   * Statements a request of an operation, sent one after another, without what runs anyway; `transaction` are BEGIN and
   * COMMIT.
   * @returns {Promise<{ statements: number, transaction: number }>}
   */
  async function count({ origin, headers, next, databaseUrl }) {
    const database = new URL(databaseUrl).pathname.slice(1);
    await watch('top');
    const began = Date.now();
    const asked = await callsDuring(database, () => sendAll({ origin, headers, next }));
    const passed = Date.now() - began;
    const idle = await callsDuring(database, () => wait(passed));
    await watch('none');
    const counts = { statements: 0, transaction: 0 };
    for (const [query, calls] of asked) {
      const own = calls - (idle.get(query) ?? 0);
      if (own < requestsCounted * minShare) continue;
      counts[/^(BEGIN|COMMIT)/i.test(query) ? 'transaction' : 'statements'] += own / requestsCounted;
    }
    return counts;
  }

  return { count, close: () => client.end() };
}

async function sendAll({ origin, headers, next }) {
  for (let sent = 0; sent < requestsCounted; sent += 1) {
    const { path, ...options } = next();
    const { statusCode, body } = await request(origin + path, { ...options, headers });
    await body.dump();
    if (statusCode >= 300) throw new Error(`${path}: answered ${statusCode}`);
  }
  await wait(settleMs);
}
