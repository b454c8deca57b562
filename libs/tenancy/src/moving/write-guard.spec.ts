import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, orWhenReadOnly, readSchemaDefinition, type TransactionalDatabase } from '@quire/database';
import { eventually, testStores } from '@quire/testing';
import { guardWrites, liftWriteGuard, sealWrites, withoutWriteGuard } from './write-guard.js';

const schema = 'spec_write_guard';
let database: Database;
let db: TransactionalDatabase;
let catalog: TransactionalDatabase;

beforeAll(async () => {
  database = await Database.connect({ url: testStores().databaseUrl, poolSize: 6, applicationName: schema });
  catalog = database.inSchema('pg_catalog');
  db = database.inSchema(schema);
});
beforeEach(async () => {
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  await db.query('CREATE TABLE notes (id integer PRIMARY KEY, text text)');
  await db.query('CREATE TABLE uses (id integer)');
  await db.query("INSERT INTO notes VALUES (1, 'one')");
});
afterAll(async () => {
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await database.close();
});

const insert = (id = 2) => db.query('INSERT INTO notes VALUES ($1)', [id]);
const rejected = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 };
const ids = async () =>
  (await db.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
/** Resolves when a statement of the guard waits for a transaction. */
const isWaiting = () =>
  eventually(
    () =>
      catalog.query(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%reject_writes%'",
      ),
    ({ length }) => length > 0,
  );

describe('guardWrites', () => {
  it('rejects every write with 503 and Retry-After, and no read', async () => {
    await guardWrites(db, 60);
    for (const write of [
      'INSERT INTO notes VALUES (2)',
      'INSERT INTO notes VALUES (1) ON CONFLICT DO NOTHING',
      "UPDATE notes SET text = 'two'",
      'DELETE FROM notes',
      'TRUNCATE notes',
    ])
      await expect(db.query(write)).rejects.toMatchObject(rejected);
    expect(await ids()).toEqual([1]);
  });

  it('passes a statement that would also store a use and has none to store', async () => {
    await guardWrites(db, 60);
    const text = 'WITH used AS (UPDATE notes SET text = $1 WHERE id = $2) SELECT id FROM notes';
    expect(await db.query(text, ['used', 9])).toEqual([{ id: 1 }]);
    const read = () => db.query('SELECT id FROM notes');
    expect(await orWhenReadOnly(db.query(text, ['used', 1]), read)).toEqual([{ id: 1 }]);
    const wrong = db.query('SELECT nothing FROM notes');
    await expect(orWhenReadOnly(wrong, read)).rejects.toThrow('nothing');
  });

  it('waits for a transaction that has written, and rejects its further tables', async () => {
    let guarded: Promise<unknown> = Promise.resolve();
    let isGuarded = false;
    await db.transaction(async (tx) => {
      await tx.query('INSERT INTO uses VALUES (1)');
      guarded = guardWrites(db, 60).then(() => (isGuarded = true));
      await isWaiting();
      expect(isGuarded).toBe(false);
    });
    await guarded;
    expect(await db.query('SELECT id FROM uses')).toEqual([{ id: 1 }]);

    await liftWriteGuard(db);
    const change = db.transaction(async (tx) => {
      await tx.query('INSERT INTO uses VALUES (2)');
      guarded = guardWrites(db, 60);
      // The tables are guarded in the order of their names.
      await isWaiting();
      await tx.query('INSERT INTO notes VALUES (2)');
    });
    await expect(change).rejects.toMatchObject(rejected);
    await guarded;
    expect(await db.query('SELECT id FROM uses')).toEqual([{ id: 1 }]);
  });

  it('guards a table that a transaction creates meanwhile', async () => {
    let guarded: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await tx.query('INSERT INTO uses VALUES (1)');
      await tx.query('CREATE TABLE added (id integer)');
      guarded = guardWrites(db, 60);
      await isWaiting();
    });
    await guarded;
    await expect(db.query('INSERT INTO added VALUES (1)')).rejects.toMatchObject(rejected);
  });

  it('expires by itself, and is renewed by another call', async () => {
    await guardWrites(db, 60);
    await guardWrites(db, 0.001);
    await eventually(() =>
      insert().then(
        () => true,
        () => false,
      ),
    );
    expect(await ids()).toEqual([1, 2]);
    await guardWrites(db, 60);
    await expect(insert(3)).rejects.toMatchObject(rejected);
  });
});

describe('sealWrites', () => {
  it('makes a guard permanent', async () => {
    await sealWrites(db, await guardWrites(db, 60));
    const [row] = await db.query<{ text: string }>(
      "SELECT prosrc AS text FROM pg_proc WHERE proname = 'reject_writes'",
    );
    expect(row?.text).toContain("'infinity'");
    await expect(insert()).rejects.toMatchObject(rejected);
  });

  it('fails when the guard has expired, and lets writes pass', async () => {
    const guard = await guardWrites(db, 0.001);
    await eventually(() =>
      insert().then(
        () => true,
        () => false,
      ),
    );
    await expect(sealWrites(db, guard)).rejects.toThrow('accepts writes again');
    await insert(3);
    expect(await ids()).toEqual([1, 2, 3]);
  });
});

describe('liftWriteGuard', () => {
  it('lets a site be written, and leaves nothing of the guard', async () => {
    const before = await readSchemaDefinition(db);
    await sealWrites(db, await guardWrites(db, 60));
    expect(await readSchemaDefinition(db)).not.toEqual(before);
    expect(withoutWriteGuard(await readSchemaDefinition(db))).toEqual(before);
    await liftWriteGuard(db);
    await insert();
    expect(await readSchemaDefinition(db)).toEqual(before);
    await liftWriteGuard(db);
  });
});
