import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, testStores } from '@quire/testing';
import { EntitySchema } from 'typeorm';
import { Database } from './database.js';
import { afterCommit, type Queryable, type TransactionalDatabase } from './sql.js';

interface Note {
  id: number;
  text: string;
}
const notes = new EntitySchema<Note>({
  name: 'Note',
  tableName: 'notes',
  columns: { id: { type: 'integer', primary: true }, text: { type: 'text' } },
});

const schemas = ['spec_database_a', 'spec_database_b'] as const;
let database: Database;
let a: TransactionalDatabase;
let b: TransactionalDatabase;

beforeAll(async () => {
  database = await Database.connect({
    url: testStores().databaseUrl,
    // One connection, so that state of one schema on it would reach the other.
    poolSize: 1,
    applicationName: 'database.spec',
    entities: [notes] as never,
  });
  const catalog = database.inSchema('pg_catalog');
  for (const schema of schemas) {
    await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await catalog.query(`CREATE SCHEMA ${schema}`);
  }
  [a, b] = [database.inSchema(schemas[0]), database.inSchema(schemas[1])];
  for (const sql of [a, b])
    await sql.query('CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL)');
  await a.query("INSERT INTO notes VALUES (1, 'of a')");
  await b.query("INSERT INTO notes VALUES (1, 'of b')");
});

afterAll(async () => {
  for (const schema of schemas) await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

const textOf = async (sql: TransactionalDatabase) =>
  (await sql.query<Note>('SELECT text FROM notes'))[0]?.text;

describe('Database.inSchema (design 5)', () => {
  it('reads the schema of the handle, also when one connection serves two in turn', async () => {
    expect([await textOf(a), await textOf(b), await textOf(a)]).toEqual(['of a', 'of b', 'of a']);
  });

  it('reads the other schema with a prepared statement that was planned for one', async () => {
    const statement = { prepared: true, text: 'SELECT text FROM notes WHERE id = $1', values: [1] };
    const read = async (sql: TransactionalDatabase) => (await sql.query<Note>(statement))[0]?.text;
    const seen: (string | undefined)[] = [];
    // PostgreSQL switches to a generic plan after five executions.
    for (let round = 0; round < 8; round += 1) seen.push(await read(a), await read(b));
    expect(seen).toEqual(Array.from({ length: 8 }, () => ['of a', 'of b']).flat());
    const [plans] = await a.query<{ count: number }>(
      "SELECT count(*) AS count FROM pg_prepared_statements WHERE statement LIKE 'SELECT text FROM notes WHERE%'",
    );
    expect(plans?.count).toBe(schemas.length);
  });

  it('prefers an idle connection that last served the schema', async () => {
    const two = await Database.connect({
      url: testStores().databaseUrl,
      poolSize: 2,
      applicationName: 'database.spec',
    });
    const pidIn = async (sql: Queryable) => {
      const [row] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return row?.pid;
    };
    const [first, second] = [two.inSchema(schemas[0]), two.inSchema(schemas[1])];
    const expected = await first.transaction(async (tx) => [
      await pidIn(tx),
      await second.transaction(pidIn),
    ]);
    for (let round = 0; round < 3; round += 1)
      expect([await pidIn(first), await pidIn(second)]).toEqual(expected);
    await two.close();
  });

  it('applies to TypeORM repositories', async () => {
    const read = (sql: TransactionalDatabase) =>
      sql.transaction(async (tx) => (await tx.repository<Note>('Note').findOneByOrFail({ id: 1 })).text);
    expect([await read(a), await read(b), await read(a)]).toEqual(['of a', 'of b', 'of a']);
  });

  it('finds neither other schemas nor public by unqualified names', async () => {
    await expect(a.query('SELECT * FROM nothing_here')).rejects.toMatchObject({ code: '42P01' });
    const [row] = await a.query<{ search_path: string }>('SHOW search_path');
    expect(row?.search_path).toBe('spec_database_a');
  });
});

describe('transaction', () => {
  it('writes everything or nothing', async () => {
    const failed = a.transaction(async (tx) => {
      await tx.query("INSERT INTO notes VALUES (2, 'lost')");
      await tx.repository<Note>('Note').insert({ id: 3, text: 'lost too' });
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    expect(await a.query('SELECT id FROM notes ORDER BY id')).toEqual([{ id: 1 }]);
  });

  it('runs its after-commit actions after the commit, and never after a rollback', async () => {
    const seen: string[] = [];
    await a.transaction(async (tx) => {
      afterCommit(tx, () => seen.push('committed'));
      await tx.query('SELECT 1');
      expect(seen).toEqual([]);
    });
    afterCommit(a, () => seen.push('without a transaction'));
    await a
      .transaction((tx) => {
        tx.afterCommit(() => seen.push('rolled back'));
        return Promise.reject(new Error('x'));
      })
      .catch(() => undefined);
    expect(seen).toEqual(['committed', 'without a transaction']);
  });

  it('throws when the caller ignored a failed statement', async () => {
    const swallowed = a.transaction(async (tx) => {
      await tx.query("INSERT INTO notes VALUES (4, 'lost')");
      await tx.query('SELECT 1/0').catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('was rolled back');
    expect(await a.query('SELECT id FROM notes WHERE id = 4')).toEqual([]);
  });

  it('releases its connection, also after a failure', async () => {
    for (let round = 0; round < 3; round += 1)
      await a.transaction((tx) => tx.query('SELECT 1/0')).catch(() => undefined);
    expect(await textOf(a)).toBe('of a');
    expect(database.poolUse).toMatchObject({ total: 1, idle: 1, waiting: 0 });
  });
});

describe('values', () => {
  it('are numbers and ISO instants', async () => {
    const [row] = await a.query(
      "SELECT 9007199254740991::bigint AS big, 1.5::numeric AS exact, timestamptz '2025-01-01 00:00+02' AS at",
    );
    expect(row).toEqual({ big: 9007199254740991, exact: 1.5, at: '2024-12-31T22:00:00.000Z' });
  });
});

describe('a broken connection', () => {
  it('fails its statement with 503; the next one has a new connection', async () => {
    const other = await Database.connect({
      url: testStores().databaseUrl,
      poolSize: 1,
      applicationName: 'x',
    });
    const own = "FROM pg_stat_activity WHERE application_name = 'database.spec'";
    const sql = other.inSchema('pg_catalog');
    const sleeping = a.query('SELECT pg_sleep(120)').catch((error: unknown) => error);
    await eventually(
      () => sql.query(`SELECT 1 ${own} AND wait_event = 'PgSleep'`),
      ({ length }) => length > 0,
    );
    await sql.query(`SELECT pg_terminate_backend(pid) ${own}`);
    await other.close();
    expect(await sleeping).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    expect(await textOf(a)).toBe('of a');
  });
});
