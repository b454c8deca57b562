import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { EntitySchema } from 'typeorm';
import { Database } from '../connection/database.js';
import type { TransactionalDatabase } from '../connection/sql.js';
import { schemaDrift } from './drift.js';
import { migrate, type Migration } from './migrate.js';

const schema = 'spec_migrate';
let database: Database;
let sql: TransactionalDatabase;

const first: Migration = {
  name: '0001-a',
  up: async (tx) => void (await tx.query('CREATE TABLE a (id int)')),
};
const second: Migration = {
  name: '0002-b',
  up: async (tx) => void (await tx.query('CREATE TABLE b (id int)')),
};
const failing: Migration = {
  name: '0003-c',
  up: async (tx) => {
    await tx.query('CREATE TABLE c (id int)');
    await tx.query('SELECT 1/0');
  },
};
const run = (migrations: Migration[], service = 'spec') => migrate(sql, { schema, service, migrations });
const tables = async () => {
  const rows = await sql.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = $2 ORDER BY 1',
    [schema, 'r'],
  );
  return rows.map(({ name }) => name);
};

beforeAll(async () => {
  database = await Database.connect({
    url: testStores().databaseUrl,
    poolSize: 8,
    applicationName: 'migrate.spec',
  });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
});
afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

describe('migrate (design 5)', () => {
  it('applies migrations once for processes that start together', async () => {
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map(() => run([first])));
    expect(results.flat()).toEqual(['0001-a']);
    expect(await tables()).toEqual(['_migrations', 'a']);
  });

  it('continues after the ledger, and changes nothing when it is complete', async () => {
    expect(await run([first, second])).toEqual(['0002-b']);
    expect(await run([first, second])).toEqual([]);
  });

  it('leaves neither tables nor a line in the ledger after a failure', async () => {
    await expect(run([first, second, failing])).rejects.toThrow('division by zero');
    expect(await tables()).toEqual(['_migrations', 'a', 'b']);
    expect(await run([first, second])).toEqual([]);
  });

  it('separates services in the same schema', async () => {
    const own: Migration = {
      name: '0001-a',
      up: async (tx) => void (await tx.query('CREATE TABLE other (id int)')),
    };
    expect(await run([own], 'other')).toEqual(['0001-a']);
  });

  it('leaves the migrations of a newer program as they are (operations F6)', async () => {
    expect(await run([first])).toEqual([]);
    expect(await run([first, second])).toEqual([]);
  });

  it('applies nothing while a transaction has the table, lets readers pass, and continues after it (F8)', async () => {
    const altering: Migration = {
      name: '0003-column',
      up: async (tx) => void (await tx.query('ALTER TABLE b ADD COLUMN text text')),
    };
    const ends: string[] = [];
    let migrated: Promise<unknown> | undefined;
    await sql.transaction(async (tx) => {
      await tx.query('SELECT * FROM b');
      migrated = run([first, second, altering]).then((names) => ends.push(...names));
      // The reader queues behind the migration until that gives up its attempt.
      await sql.query('SELECT pg_sleep(0.3)');
      await sql.query('SELECT * FROM b');
      ends.push('reader');
    });
    await migrated;
    expect(ends).toEqual(['reader', '0003-column']);
  });

  it('applies a statement that takes longer than the limit of other statements', async () => {
    const slow: Migration = {
      name: '0004-slow',
      up: async (tx) => {
        const [row] = await tx.query<{ statement_timeout: string }>('SHOW statement_timeout');
        if (row?.statement_timeout !== '0') throw new Error(`the limit is ${row?.statement_timeout}`);
      },
    };
    expect(await run([slow], 'slow')).toEqual(['0004-slow']);
  });
});

describe('schemaDrift', () => {
  const entity = (type: 'integer' | 'text') =>
    new EntitySchema({
      name: 'A',
      tableName: 'a',
      columns: { id: { type, primary: true, primaryKeyConstraintName: 'a_pkey' } },
    });
  const driftOf = (type: 'integer' | 'text') =>
    schemaDrift(
      { url: testStores().databaseUrl, poolSize: 1, applicationName: 'x', entities: [entity(type)] as never },
      schema,
    );

  it('returns nothing when tables and entities agree', async () => {
    await sql.query('ALTER TABLE a ADD CONSTRAINT a_pkey PRIMARY KEY (id)');
    expect(await driftOf('integer')).toEqual([]);
  });

  it('returns a column of another type', async () => {
    expect(await driftOf('text')).not.toEqual([]);
  });
});
