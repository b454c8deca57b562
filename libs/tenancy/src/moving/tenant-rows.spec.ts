import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, type TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { advanceSequences, missingMigrations, moveTenantRows } from './tenant-rows.js';

let database: Database;
let from: TransactionalDatabase;
let to: TransactionalDatabase;
const schemas = ['spec_rows_from', 'spec_rows_to'];

beforeAll(async () => {
  database = await Database.connect({ url: testStores().databaseUrl, poolSize: 6, applicationName: 'spec' });
  [from, to] = schemas.map((name) => database.inSchema(name)) as [
    TransactionalDatabase,
    TransactionalDatabase,
  ];
});
beforeEach(async () => {
  const catalog = database.inSchema('pg_catalog');
  for (const name of schemas) {
    await catalog.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    await catalog.query(`CREATE SCHEMA ${name}`);
    const sql = database.inSchema(name);
    await sql.query(`CREATE TABLE work (tenant_id text, id bigint, message json, at timestamptz, bytes bytea,
      PRIMARY KEY (tenant_id, id))`);
    await sql.query('CREATE TABLE settings (name text)');
    await sql.query('CREATE SEQUENCE versions');
    await sql.query('CREATE TABLE _migrations (name text)');
  }
});
afterAll(async () => {
  for (const name of schemas) await database.inSchema('pg_catalog').query(`DROP SCHEMA ${name} CASCADE`);
  await database.close();
});

const move = (id: string) =>
  from.transaction((source) => to.transaction((target) => moveTenantRows(source, target, id)));
const rowsOf = (sql: TransactionalDatabase) =>
  sql.query<{ tenant_id: string; id: number }>(
    'SELECT tenant_id, id, message::text, at, bytes FROM work ORDER BY tenant_id, id',
  );

describe('moveTenantRows', () => {
  it('moves the rows of one site in all tables with sites, as they are', async () => {
    await from.query(
      `INSERT INTO work VALUES ('a', 9007199254740991, '{"b":1,"a":"ü\\u0000"}', '2026-01-01T00:00:00.123Z', '\\x00ff'),
         ('a', 2, NULL, NULL, NULL), ('b', 1, NULL, NULL, NULL)`,
    );
    const before = await rowsOf(from);
    await move('a');
    expect(await rowsOf(to)).toEqual(before.filter((row) => row.tenant_id === 'a'));
    expect(await rowsOf(from)).toEqual(before.filter((row) => row.tenant_id === 'b'));
  });

  it('moves any number of rows, and keeps those that the target has', async () => {
    await from.query("INSERT INTO work SELECT 'a', n FROM generate_series(1, 2500) n");
    await to.query(`INSERT INTO work VALUES ('a', 1, '"newer"')`);
    await move('a');
    expect(await from.query('SELECT 1 FROM work')).toEqual([]);
    expect(await to.query('SELECT count(*)::int, max(message::text) FROM work')).toEqual([
      { count: 2500, max: '"newer"' },
    ]);
  });

  it('leaves rows that a worker has locked, and does not wait for it', async () => {
    await from.query("INSERT INTO work VALUES ('a', 1), ('a', 2)");
    await from.transaction(async (worker) => {
      await worker.query('SELECT 1 FROM work WHERE id = 1 FOR UPDATE');
      await move('a');
    });
    expect((await rowsOf(from)).map(({ id }) => id)).toEqual([1]);
    await move('a');
    expect((await rowsOf(to)).map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe('advanceSequences', () => {
  it('makes the values of the target greater than those that the source gives out in the next time', async () => {
    await from.query("SELECT setval('versions', 5000)");
    await advanceSequences(from, to);
    const next = async () =>
      (await to.query<{ value: number }>("SELECT nextval('versions') AS value"))[0]?.value;
    expect(await next()).toBe(1_005_001);
    await from.query("SELECT setval('versions', 10)");
    await advanceSequences(from, to);
    expect(await next()).toBe(1_005_002);
  });
});

describe('missingMigrations', () => {
  it('names the migrations that only the source has', async () => {
    await from.query("INSERT INTO _migrations VALUES ('0001-a'), ('0002-b')");
    await to.query("INSERT INTO _migrations VALUES ('0001-a'), ('0003-c')");
    expect(await missingMigrations(from, to)).toEqual(['0002-b']);
  });
});
