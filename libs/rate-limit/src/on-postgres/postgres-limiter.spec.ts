import { describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { rateLimiterConformance } from '../conformance/rate-limiter.conformance.js';
import { postgresLimiter } from './postgres-limiter.js';

const { databaseUrl } = testStores();
rateLimiterConformance('PostgreSQL', () => postgresLimiter(databaseUrl));

describe('what the rate limiter stores', () => {
  it('does not hold the key in plain text', async () => {
    const limiter = await postgresLimiter(databaseUrl);
    await limiter.consume({ name: 'plain', limit: 1, windowSeconds: 60 }, '203.0.113.7');
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ key: string }>(
      `SELECT key FROM cms_rate_limit.counts WHERE key LIKE 'plain%'`,
    );
    await client.end();
    await limiter.close();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.key).not.toContain('203.0.113.7');
  });
});
