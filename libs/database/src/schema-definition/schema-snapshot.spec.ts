import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { Database } from '../connection/database.js';
import type { TransactionalDatabase } from '../connection/sql.js';
import { readRows, writeRows } from './copy-rows.js';
import { inSchemaSnapshot } from './schema-snapshot.js';

const schema = 'spec_schema_snapshot';
const table = { name: 'notes', columns: ['id', 'text'], isUnlogged: false };
let database: Database;
let sql: TransactionalDatabase;

beforeAll(async () => {
  database = await Database.connect({
    url: testStores().databaseUrl,
    poolSize: 3,
    applicationName: 'schema-snapshot.spec',
  });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
});
beforeEach(async () => {
  await sql.query('DROP TABLE IF EXISTS notes');
  await sql.query('CREATE TABLE notes (id integer, text text)');
  await sql.query("INSERT INTO notes SELECT n, repeat('x', 1000) FROM generate_series(1, 5000) n");
});
afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

async function bytesOf(rows: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const piece of rows) bytes += piece.length;
  return bytes;
}

const count = async () => (await sql.query<{ n: number }>('SELECT count(*)::integer AS n FROM notes'))[0]?.n;

describe('inSchemaSnapshot', () => {
  it('reads rows as they were at its start, and lets others write', async () => {
    const [before, after] = await inSchemaSnapshot(sql, async (tx) => {
      const first = await bytesOf(readRows(tx, table));
      await sql.query('DELETE FROM notes');
      return [first, await bytesOf(readRows(tx, table))];
    });
    expect(before).toBeGreaterThan(5_000_000);
    expect(after).toBe(before);
    expect(await count()).toBe(0);
  });

  it('keeps the columns of its tables', async () => {
    const alter = () =>
      sql.transaction(async (tx) => {
        await tx.query('SET LOCAL lock_timeout = 50');
        await tx.query('ALTER TABLE notes DROP COLUMN text');
      });
    await inSchemaSnapshot(sql, () => expect(alter()).rejects.toMatchObject({ code: '55P03' }));
    await expect(alter()).resolves.toBeUndefined();
  });
});

describe('a copy of rows', () => {
  it('that its reader does not finish leaves the pool usable', async () => {
    const stopped = sql.transaction(async (tx) => {
      for await (const piece of readRows(tx, table)) throw new Error(`stopped after ${piece.length > 0}`);
    });
    await expect(stopped).rejects.toThrow('stopped after true');
    expect(await Promise.all([count(), count(), count()])).toEqual([5_000, 5_000, 5_000]);
  });

  it.each([
    ['whose source fails', () => Promise.reject(new Error('the source failed')), 'the source failed'],
    ['that the table rejects', () => Promise.resolve(Buffer.from('no number\tx\n')), 'invalid input syntax'],
  ])('%s writes nothing, and leaves the pool usable', async (_, nextPiece, message) => {
    async function* rows() {
      yield Buffer.from('1\tx\n');
      yield await nextPiece();
    }
    await expect(sql.transaction((tx) => writeRows(tx, table, rows()))).rejects.toThrow(message);
    expect(await Promise.all([count(), count(), count()])).toEqual([5_000, 5_000, 5_000]);
  });

  it('may read the table that it writes', async () => {
    await sql.transaction((tx) =>
      inSchemaSnapshot(sql, (from) => writeRows(tx, table, readRows(from, table))),
    );
    expect(await count()).toBe(10_000);
  });
});
