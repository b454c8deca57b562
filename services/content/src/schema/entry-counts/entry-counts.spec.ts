import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { identifier, type Queryable, type Transaction } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { startCounting } from '../content-changes/content-changes.repository.js';
import { createContentTable } from '../tables/content-table.repository.js';
import { detachContentTable, detachedTableName } from '../tables/detached-table.repository.js';
import { countEntriesOf, storedCount } from './entry-counts.repository.js';

const table = 'content_counted';
let content: ServiceTenant;
const sql = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  content.ctx.db.query<Row>(text, values);
const transaction = <Result>(work: (tx: Transaction) => Promise<Result>) => content.ctx.db.transaction(work);

beforeAll(async () => {
  content = await openServiceTenant('spec-of-entry-counts', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());

/** Two drafts and a published entry in English, a draft in German, and a draft in the trash. */
beforeEach(async () => {
  await sql(`DROP TABLE IF EXISTS ${table}`);
  await createContentTable(content.ctx.db, table);
  await startCounting(content.ctx.db, table);
  await sql(`INSERT INTO ${table} (id, status, _locale, _translation_group, deleted_at) VALUES
    ('a', 'draft', 'en', 'a', NULL), ('b', 'draft', 'en', 'b', NULL), ('c', 'published', 'en', 'c', NULL),
    ('d', 'draft', 'de', 'd', NULL), ('e', 'draft', 'en', 'e', now())`);
});

type Counts = Record<string, number>;

/** The stored counts that are not zero, by locale and status. */
async function stored(of: Queryable = content.ctx.db, name = table): Promise<Counts> {
  const rows = await of.query<{ key: string; entries: number }>(
    `SELECT locale || ' ' || status AS key, sum(entries)::bigint AS entries FROM entry_counts WHERE name = $1
     GROUP BY 1 HAVING sum(entries) <> 0 ORDER BY 1`,
    [name],
  );
  return Object.fromEntries(rows.map(({ key, entries }) => [key, entries]));
}

/** The same counts, of the entries themselves. */
async function counted(): Promise<Counts> {
  const rows = await sql<{ key: string; entries: number }>(
    `SELECT _locale || ' ' || status AS key, count(*) AS entries FROM ${table} WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ key, entries }) => [key, entries]));
}

describe('the counts of entries', () => {
  it.each<[string, string, Counts]>([
    ['nothing has changed', 'SELECT 1', { 'de draft': 1, 'en draft': 2, 'en published': 1 }],
    [
      'an entry is published',
      "UPDATE content_counted SET status = 'published' WHERE id = 'a'",
      { 'de draft': 1, 'en draft': 1, 'en published': 2 },
    ],
    [
      'entries change in other columns',
      'UPDATE content_counted SET slug = id',
      { 'de draft': 1, 'en draft': 2, 'en published': 1 },
    ],
    [
      'an entry goes to the trash',
      "UPDATE content_counted SET deleted_at = now() WHERE id = 'd'",
      { 'en draft': 2, 'en published': 1 },
    ],
    [
      'an entry leaves the trash with another status',
      "UPDATE content_counted SET deleted_at = NULL, status = 'scheduled' WHERE id = 'e'",
      { 'de draft': 1, 'en draft': 2, 'en published': 1, 'en scheduled': 1 },
    ],
    [
      'an entry of the trash changes',
      "UPDATE content_counted SET status = 'published' WHERE id = 'e'",
      { 'de draft': 1, 'en draft': 2, 'en published': 1 },
    ],
    [
      'the locale of entries changes',
      "UPDATE content_counted SET _locale = 'fr' WHERE _locale = 'en'",
      { 'de draft': 1, 'fr draft': 2, 'fr published': 1 },
    ],
    [
      'entries are deleted, one of the trash too',
      "DELETE FROM content_counted WHERE id IN ('a', 'c', 'e')",
      { 'de draft': 1, 'en draft': 1 },
    ],
    ['the table is emptied', 'TRUNCATE content_counted', {}],
  ])('are right when %s', async (_, statement, expected) => {
    await sql(statement);
    expect(await stored()).toEqual(expected);
    expect(await counted()).toEqual(expected);
  });

  it('do not change by a transaction that is rolled back', async () => {
    const before = await stored();
    const failed = transaction(async (tx) => {
      await tx.query(`DELETE FROM ${table}`);
      expect(await stored(tx)).toEqual({});
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    expect(await stored()).toEqual(before);
  });

  it('do not make writers wait for each other', async () => {
    await transaction(async (first) => {
      await first.query(`UPDATE ${table} SET status = 'published' WHERE id = 'a'`);
      await transaction(async (second) => {
        await second.query("SET LOCAL lock_timeout = '5s'");
        await second.query(`UPDATE ${table} SET status = 'published' WHERE id = 'b'`);
      });
    });
    expect(await stored()).toEqual(await counted());
  });

  it('are right after concurrent writers of the same entries', async () => {
    const write = async (index: number) => {
      const status = ['draft', 'published', 'scheduled'][index % 3];
      const id = ['a', 'b', 'c', 'd', 'e'][index % 5];
      const deleted = index % 4 === 0 ? 'now()' : 'NULL';
      await sql(`UPDATE ${table} SET status = $1, deleted_at = ${deleted} WHERE id = $2`, [status, id]);
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => write(index)));
    expect(await stored()).toEqual(await counted());
  });

  it('count the statement of an operator with another search path', async () => {
    const [current] = await sql<{ schema: string }>('SELECT current_schema() AS schema');
    await transaction(async (tx) => {
      await tx.query('SET LOCAL search_path TO pg_catalog');
      await tx.query(`DELETE FROM ${identifier(current?.schema ?? '')}.${table} WHERE status = 'draft'`);
    });
    expect(await stored()).toEqual({ 'en published': 1 });
  });

  it('start with the entries that a table has', async () => {
    await sql(`UPDATE entry_counts SET entries = entries + 5 WHERE name = '${table}'`);
    await countEntriesOf(content.ctx.db, table);
    expect(await stored()).toEqual(await counted());
  });

  it('of a deleted collection are no longer those of its name', async () => {
    await transaction((tx) => detachContentTable(tx, table, '01DELETED'));
    const detached = detachedTableName('01DELETED');
    await createContentTable(content.ctx.db, table);
    await startCounting(content.ctx.db, table);
    await sql(`DELETE FROM ${detached}`);
    expect([await stored(), await stored(content.ctx.db, detached)]).toEqual([{}, {}]);
    await sql(`DROP TABLE ${detached}`);
  });

  it('are merged when the server processes of their shares have ended: the sums remain the same', async () => {
    const before = await stored();
    await sql(`INSERT INTO change_counters SELECT '${table}', -n, n FROM generate_series(1, 40) n`);
    await sql(
      `INSERT INTO entry_counts SELECT '${table}', 'en', status, -n, 1 - 2 * (n % 2)
       FROM generate_series(1, 40) n, (VALUES ('draft'), ('published')) s (status)`,
    );
    await sql(`DELETE FROM change_counters WHERE name = '${table}' AND shard > 0`);
    await sql(`DELETE FROM ${table} WHERE id = 'd'`);
    expect(await stored()).toEqual({
      'en draft': before['en draft'],
      'en published': before['en published'],
    });
    const ended = await sql(`SELECT 1 FROM entry_counts WHERE name = '${table}' AND shard < 0`);
    expect(ended).toEqual([]);
  });
});

it('storedCount sums the counts that meet its conditions', async () => {
  const count = async (...conditions: string[]) => {
    const [row] = await sql<{ count: number }>(`SELECT ${storedCount(table, conditions)} AS count`);
    return row?.count;
  };
  expect(await count()).toBe(4);
  expect(await count("n.status = 'draft'")).toBe(3);
  expect(await count("n.status = 'draft'", "lower(n.locale) = 'de'")).toBe(1);
  expect(await count("n.status = 'scheduled'")).toBe(0);
});
