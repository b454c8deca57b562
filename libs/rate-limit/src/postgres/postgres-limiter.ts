import { setUpConnection, type PoolerMode } from '@quire/database';
import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { createLimiter, type RateLimiter, type RateLimitLogger } from '../port/rate-limiter.js';

const schema = 'cms_rate_limit';
const table = 'counts';
const poolSize = 2;
const connectTimeoutMs = 1_000;
const statementTimeoutMs = 2_000;
const cleanEveryMs = 300_000;

export interface PostgresLimiterOptions {
  databaseUrl: string;
  pooler?: PoolerMode | undefined;
  logger: RateLimitLogger;
  /** Interval of the deletion of rows whose window has ended. */
  cleanEveryMs?: number;
}

/**
 * Counts in a table of the database, `cms_rate_limit.counts`, which is created if it is missing.
 * @throws the driver's error when the database does not respond at the start
 */
export async function createPostgresLimiter(options: PostgresLimiterOptions): Promise<RateLimiter> {
  const { databaseUrl, pooler, logger } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs,
    application_name: 'quire-rate-limit',
    onConnect: setUpConnection({ pooler }),
  });
  // A broken idle connection is replaced at its next use; no request waits for it.
  pool.on('error', () => undefined);
  try {
    await createTable(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const cleaning = setInterval(() => void clean(pool), options.cleanEveryMs ?? cleanEveryMs);
  cleaning.unref();
  return createLimiter(
    {
      open: ({ limit, windowSeconds }, keyPrefix) =>
        new RateLimiterPostgres({
          storeClient: pool,
          storeType: 'pool',
          schemaName: schema,
          tableName: table,
          tableCreated: true,
          keyPrefix,
          points: limit,
          duration: windowSeconds,
          // One sweep for all limits, below, instead of a timer for each.
          clearExpiredByTimeout: false,
        }),
      async close() {
        clearInterval(cleaning);
        await pool.end();
      },
    },
    logger,
  );
}

/** Unlogged: each use costs less. A crash loses the counts, which does no harm. */
async function createTable(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('${schema}', 0))`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(
      `CREATE UNLOGGED TABLE IF NOT EXISTS ${schema}.${table} (key text PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`,
    );
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // The transaction is still open, so the connection must not be used again.
    client.release(true);
    throw error;
  }
}

async function clean(pool: pg.Pool): Promise<void> {
  try {
    await pool.query(`DELETE FROM ${schema}.${table} WHERE expire < $1`, [Date.now()]);
  } catch {
    // Old rows are harmless; the next sweep deletes them.
  }
}
