import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { flexibleLimiter, type RateLimiter } from '../port/rate-limiter.js';

const schema = 'cms_rate_limit';
const table = 'counts';
const poolSize = 2;
const connectTimeoutMs = 1_500;

/** Counts in a table of the database. Rows whose window is over are removed by the library. */
export async function postgresLimiter(databaseUrl: string): Promise<RateLimiter> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // An idle connection that breaks is replaced at its next use; nobody waits for it.
  pool.on('error', () => undefined);
  await createTable(pool);
  return flexibleLimiter(
    ({ name, limit, windowSeconds }, insuranceLimiter) =>
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        schemaName: schema,
        tableName: table,
        tableCreated: true,
        keyPrefix: name,
        points: limit,
        duration: windowSeconds,
        insuranceLimiter,
      }),
    () => pool.end(),
  );
}

/** Unlogged: a crash forgets the counts, which harms nobody, and each use costs less. */
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
  } finally {
    client.release();
  }
}
