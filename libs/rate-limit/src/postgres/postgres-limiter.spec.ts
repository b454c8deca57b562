import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, testStores } from '@quire/testing';
import pg from 'pg';
import { rateLimiterConformance } from '../conformance/rate-limiter.conformance.js';
import { createPostgresLimiter } from './postgres-limiter.js';

const logger = { warn: () => undefined, info: () => undefined };

rateLimiterConformance('PostgreSQL', () =>
  createPostgresLimiter({ databaseUrl: testStores().databaseUrl, logger }),
);

describe('rows of the rate limiter in PostgreSQL', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: testStores().databaseUrl });
    await client.connect();
  });
  afterAll(() => client.end());

  const keysOf = async (name: string) => {
    const { rows } = await client.query<{ key: string }>(
      'SELECT key FROM cms_rate_limit.counts WHERE starts_with(key, $1)',
      [`${name}:`],
    );
    return rows.map(({ key }) => key);
  };

  it('do not contain the key in plain text', async () => {
    const { databaseUrl } = testStores();
    const limiter = await createPostgresLimiter({ databaseUrl, logger });
    const name = `plain-${process.pid}`;
    await limiter.consume({ name, limit: 1, windowSeconds: 60 }, '203.0.113.7');
    await limiter.close();
    const keys = await keysOf(name);
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toContain('203.0.113.7');
  });

  it('are deleted after their window, and not before', async () => {
    const { databaseUrl } = testStores();
    const limiter = await createPostgresLimiter({ databaseUrl, logger, cleanEveryMs: 100 });
    const [short, long] = [`short-${process.pid}`, `long-${process.pid}`];
    await limiter.consume({ name: short, limit: 1, windowSeconds: 1 }, 'client');
    await limiter.consume({ name: long, limit: 1, windowSeconds: 60 }, 'client');
    const left = await eventually(
      () => keysOf(short),
      ({ length }) => length === 0,
    );
    expect(left).toEqual([]);
    await limiter.close();
    expect(await keysOf(long)).toHaveLength(1);
  });

  it('are in a table that processes create concurrently', async () => {
    const name = `rate_limit_${process.pid}_${Date.now()}`;
    await client.query(`CREATE DATABASE ${name}`);
    const url = new URL(testStores().databaseUrl);
    url.pathname = `/${name}`;
    const opened = await Promise.all(
      [1, 2, 3, 4].map(() => createPostgresLimiter({ databaseUrl: url.href, logger })),
    );
    const limit = { name: 'made', limit: 3, windowSeconds: 60 };
    const decisions = await Promise.all(opened.map((limiter) => limiter.consume(limit, 'client')));
    await Promise.all(opened.map((limiter) => limiter.close()));
    await client.query(`DROP DATABASE ${name}`);
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
  });

  it('require the database at the start', async () => {
    const databaseUrl = 'postgresql://nobody@127.0.0.1:1/none';
    await expect(createPostgresLimiter({ databaseUrl, logger })).rejects.toThrow();
  });
});
