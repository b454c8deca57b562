import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, type Queryable } from '@quire/database';
import { testStores } from '@quire/testing';
import { readBacklog } from './backlog.js';
import { defineLeasedWorkTable } from './leased-work-table.js';
import { defineWorkTable } from './work-table.js';

const schema = 'spec_backlog';
const definition = {
  name: `${schema}.work`,
  key: { tenantId: 'tenant_id', name: 'name' },
  payload: {},
  leaseSeconds: 30,
  backoff: () => 10,
};
const plain = defineWorkTable<{ tenantId: string; name: string }, object>(definition);
const leased = defineLeasedWorkTable<{ tenantId: string; name: string }, object>({
  ...definition,
  maxAttempts: 3,
});

let database: Database;
let sql: Queryable;
beforeAll(async () => {
  database = await Database.connect({
    url: testStores().databaseUrl,
    poolSize: 2,
    applicationName: 'backlog.spec',
  });
  sql = database.inSchema('pg_catalog');
  await sql.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await sql.query(`CREATE SCHEMA ${schema}`);
  await sql.query(`CREATE TABLE ${schema}.work (tenant_id text, name text, state text NOT NULL,
    due_at timestamptz(3) NOT NULL, attempts integer NOT NULL, PRIMARY KEY (tenant_id, name))`);
});
afterAll(async () => {
  await sql.query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

describe('readBacklog', () => {
  it('counts nothing in an empty table', async () => {
    expect(await readBacklog(sql, plain)).toEqual({
      count: 0,
      due: 0,
      failed: 0,
      oldestSeconds: 0,
      maxAttempts: 0,
    });
  });

  it('counts due rows, and failed rows of leased tables apart from them', async () => {
    await sql.query(`INSERT INTO ${schema}.work VALUES
      ('acme', 'old', 'pending', now() - interval '90 seconds', 2),
      ('acme', 'later', 'retry', now() + interval '1 hour', 1),
      ('acme', 'given-up', 'failed', now() - interval '1 hour', 8),
      ('globex', 'new', 'pending', now(), 0)`);
    expect(await readBacklog(sql, leased)).toMatchObject({ count: 4, due: 2, failed: 1, maxAttempts: 8 });
    expect(await readBacklog(sql, plain)).toMatchObject({ count: 4, due: 3, failed: 0 });
    const ofSite = await readBacklog(sql, leased, { tenant: 'acme' });
    expect(ofSite).toMatchObject({ count: 3, due: 1, failed: 1 });
    expect(ofSite.oldestSeconds).toBeGreaterThanOrEqual(90);
    expect(ofSite.oldestSeconds).toBeLessThan(3_000);
  });
});
