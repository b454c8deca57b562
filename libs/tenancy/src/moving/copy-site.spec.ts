import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Database,
  inSchemaSnapshot,
  readSchemaDefinition,
  type TransactionalDatabase,
} from '@quire/database';
import { testStores } from '@quire/testing';
import { copySite } from './copy-site.js';
import { guardWrites } from './write-guard.js';

const [from, to] = ['spec_copy_from', 'spec_copy_to'] as const;
let database: Database;
let source: TransactionalDatabase;
let target: TransactionalDatabase;

beforeAll(async () => {
  database = await Database.connect({ url: testStores().databaseUrl, poolSize: 4, applicationName: from });
  [source, target] = [database.inSchema(from), database.inSchema(to)];
});
beforeEach(async () => {
  for (const schema of [from, to]) {
    await database.inSchema('pg_catalog').query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await database.inSchema('pg_catalog').query(`CREATE SCHEMA ${schema}`);
  }
  await source.query(
    'CREATE TABLE notes (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text UNIQUE)',
  );
  await source.query('CREATE TABLE empty (id integer REFERENCES notes)');
  await source.query("INSERT INTO notes (text) SELECT 'text ' || n FROM generate_series(1, 3000) n");
});
afterAll(async () => {
  for (const schema of [from, to])
    await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

describe('copySite', () => {
  it('copies the definition, rows, sequences and statistics, without the guard of the source', async () => {
    const { schema: _, ...before } = await inSchemaSnapshot(source, readSchemaDefinition);
    await guardWrites(source, 60);
    const copied = await copySite(source, target, { id: 'copy' });
    expect(copied).toEqual({ tables: 2, rows: 3000, bytes: expect.any(Number) });
    expect(copied.bytes).toBeGreaterThan(3000 * 'text '.length);
    expect(await inSchemaSnapshot(target, readSchemaDefinition)).toMatchObject(before);
    const notes = 'SELECT id, text FROM notes ORDER BY id';
    expect(await target.query(notes)).toEqual(await source.query(notes));
    expect(await target.query("INSERT INTO notes (text) VALUES ('next') RETURNING id")).toEqual([
      { id: 3001 },
    ]);
    const [estimate] = await target.query<{ rows: number }>(
      "SELECT reltuples::int AS rows FROM pg_class WHERE oid = 'notes'::regclass",
    );
    expect(estimate?.rows).toBe(3000);
  });

  it('copies nothing when a table of the copy has another number of rows', async () => {
    const losing: TransactionalDatabase = {
      ...target,
      transaction: (work) =>
        target.transaction((tx) =>
          work({
            ...tx,
            copyFrom: async (statement, rows) => {
              await tx.copyFrom(statement, rows);
              await tx.query('DELETE FROM notes WHERE id = 7');
            },
          }),
        ),
    };
    await expect(copySite(source, losing, { id: 'copy' })).rejects.toThrow(
      'The copy of notes has 2999 rows instead of 3000',
    );
    expect((await inSchemaSnapshot(target, readSchemaDefinition)).tables).toEqual([]);
  });
});
