import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, type TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { FencingTokens } from './fencing-tokens.js';

const schema = 'spec_fencing_tokens';
const tokens = new FencingTokens('spec');
const unavailable = { code: 'SERVICE_UNAVAILABLE' };
let database: Database;
let db: TransactionalDatabase;
const accept = async (token: number) => (await tokens.accept({ db }, token)).db;

beforeAll(async () => {
  database = await Database.connect({
    url: testStores().databaseUrl,
    poolSize: 4,
    applicationName: 'fencing-tokens.spec',
  });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  db = database.inSchema(schema);
  await tokens.migration.up(db);
  await db.query('CREATE TABLE records (id integer)');
});
beforeEach(() => db.query('TRUNCATE records, fencing_tokens_spec'));
afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

const idsOf = async () => (await db.query<{ id: number }>('SELECT id FROM records')).map(({ id }) => id);
const insert = (sql: Pick<TransactionalDatabase, 'query'>, id: number) =>
  sql.query('INSERT INTO records (id) VALUES ($1)', [id]);

describe('accept', () => {
  it('lets the holder of a token work, again after a repetition', async () => {
    await insert(await accept(1), 1);
    const holder = await accept(1);
    expect(await holder.transaction((tx) => tx.query('SELECT id FROM records'))).toEqual([{ id: 1 }]);
  });

  it('rejects a smaller token than the accepted one', async () => {
    await accept(2);
    await expect(accept(1)).rejects.toMatchObject(unavailable);
  });

  it('makes all later statements of a smaller token fail', async () => {
    const former = await accept(1);
    const present = await accept(2);
    await expect(insert(former, 1)).rejects.toMatchObject(unavailable);
    await expect(former.transaction((tx) => insert(tx, 1))).rejects.toMatchObject(unavailable);
    await insert(present, 2);
    expect(await idsOf()).toEqual([2]);
  });

  it('lets the holder of a token make another call while a transaction of it is open', async () => {
    const holder = await accept(1);
    await holder.transaction(async (tx) => {
      await insert(tx, 1);
      // Waiting for the end of the transaction would last for ever.
      await insert(await accept(1), 2);
    });
    expect(await idsOf()).toEqual([1, 2]);
  });

  it('waits for an open transaction of a smaller token, which sees its own end', async () => {
    const former = await accept(1);
    let successor: Promise<unknown> | undefined;
    await former.transaction(async (tx) => {
      successor = accept(2).then((present) => present.query('DELETE FROM records'));
      // A statement on another connection of the same holder does not wait for the successor.
      await insert(former, 1);
      await insert(tx, 1);
    });
    await successor;
    expect(await idsOf()).toEqual([]);
  });
});
