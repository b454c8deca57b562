import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startEmbeddedPostgres } from '../dist/postgres/embedded-postgres.js';
import { openDatabase } from '../dist/supervisor/environment.js';
import { temporaryFolder } from './harness.mjs';

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (text) => (await client.query(text)).rows);
  } finally {
    await client.end();
  }
}

test('Quire is no superuser of its own database, and owns what it made as one', async (t) => {
  const dataDir = temporaryFolder(t);
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  await withClient(server.url, async (query) => {
    await query('CREATE SCHEMA "site_an-old-one"');
    await query('SET search_path TO "site_an-old-one"');
    await query(`CREATE TYPE state AS ENUM ('waits')`);
    await query('CREATE TABLE notes (id bigint GENERATED ALWAYS AS IDENTITY, state state)');
    await query('CREATE FUNCTION one() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$');
  });
  const database = await openDatabase({ dataDir }, () => {});
  await withClient(database.url, async (query) => {
    assert.deepEqual(
      await query('SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user'),
      [{ rolsuper: false, rolcreaterole: true }],
    );
    await query('SET search_path TO "site_an-old-one"');
    await query(`INSERT INTO notes (state) VALUES ('waits')`);
    for (const change of [
      'TABLE notes ADD text text',
      "TYPE state ADD VALUE 'runs'",
      'FUNCTION one() STABLE',
    ])
      await query(`ALTER ${change}`);
    await query('CREATE SCHEMA another');
    await assert.rejects(query(`COPY (SELECT 1) TO PROGRAM 'true'`), { code: '42501' });
  });
  const again = await openDatabase({ dataDir }, () => {});
  assert.equal(again.url, database.url);
  for (const user of [again, database, server]) await user.stop();
});
