import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { Database } from './database.js';
import type { TransactionalDatabase } from './sql.js';

const databaseName = 'spec_switchover';
const poolSize = 3;

let admin: pg.Client;
let database: Database;
let sql: TransactionalDatabase;

beforeAll(async () => {
  const { databaseUrl } = testStores();
  admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${databaseName}`);
  await open();
  await sql.query('CREATE TABLE notes (text text NOT NULL)');
});

afterAll(async () => {
  await database.close();
  await admin.query(`DROP DATABASE ${databaseName}`);
  await admin.end();
});

async function open(): Promise<void> {
  const url = Object.assign(new URL(testStores().databaseUrl), { pathname: `/${databaseName}` }).href;
  database = await Database.connect({ url, poolSize, applicationName: 'switchover.spec' });
  sql = database.inSchema('public');
}

/** Makes new connections read-only, or writable again, as those to another server after a switchover. */
const setReadOnly = (isReadOnly: boolean) =>
  admin.query(`ALTER DATABASE ${databaseName} SET default_transaction_read_only = ${isReadOnly}`);
const write = () => sql.query("INSERT INTO notes VALUES ('written')");
const writeInTransaction = () => sql.transaction((tx) => tx.query("INSERT INTO notes VALUES ('written')"));

describe('a server that has become read-only', () => {
  it.each([
    ['a statement', write],
    ['a transaction', writeInTransaction],
  ])('rejects %s with 503; the connections are replaced by writable ones', async (_, writing) => {
    await setReadOnly(true);
    await database.close();
    await open();
    // As many connections as the pool may have.
    await Promise.all(Array.from({ length: poolSize }, () => sql.query('SELECT 1')));
    expect(database.poolUse.total).toBe(poolSize);
    await setReadOnly(false);
    for (let connection = 0; connection < poolSize; connection += 1)
      await expect(writing()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    await expect(writing()).resolves.toEqual([]);
  });
});
