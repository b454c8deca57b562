import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { eventually, testStores } from '@quire/testing';
import { newDocument, newIndex, openSites, type Sites } from '../conformance/fixtures.js';
import { tableOf } from '../tables/index-tables.js';
import { addStatusesIndexes, countRows, keepTermsInRows } from './index-table.js';
import { postgresEngine } from './postgres-engine.js';

const documents = 3_000;

describe('the count of documents', () => {
  let sites: Sites;
  beforeAll(async () => {
    sites = await openSites(testStores().databaseUrl);
  });
  afterAll(() => sites.close());

  async function openSite() {
    const site = await sites.add();
    const index = newIndex();
    const indexes = postgresEngine().of(site);
    await indexes.create(index);
    const table = tableOf('index', index);
    const nameOfIndex = async () => {
      const [row] = await site.db.query<{ name: string }>(
        `SELECT indexrelid::regclass::text AS name FROM pg_index
         WHERE indrelid = '${table}'::regclass AND indpred IS NOT NULL`,
      );
      return row?.name;
    };
    return { site, index, indexes, table, nameOfIndex };
  }

  /** The plan of a count, as text. */
  async function planOfCount(db: Queryable, index: ReturnType<typeof newIndex>): Promise<string> {
    let plan = '';
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const rows = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        return [];
      },
    } as unknown as Queryable;
    await countRows(explaining, index, 'published');
    return plan;
  }

  it('reads an index without the texts', async () => {
    const { site, index, table } = await openSite();
    await site.db.query(
      `INSERT INTO ${table} (id, view, version, is_removed, statuses, texts)
       SELECT i::text, 0, 1, false, '{published,all}', ARRAY[repeat('text ', 100)] FROM generate_series(1, $1) AS i`,
      [documents],
    );
    // The plan counts on visible pages, which a transaction of another spec can delay.
    await eventually(async () => {
      await site.db.query(`VACUUM ANALYZE ${table}`);
      const [row] = await site.db.query<{ isVisible: boolean }>(
        `SELECT relallvisible = relpages AS "isVisible" FROM pg_class WHERE oid = '${table}'::regclass`,
      );
      return row?.isVisible === true;
    });
    expect(await planOfCount(site.db, index)).toContain('Index Only Scan');
  });

  it('gets its index in tables of the time before it, once', async () => {
    const { site, index, indexes, nameOfIndex } = await openSite();
    await indexes.put(index, [newDocument({ id: 'kept', title: 'kept text' })]);
    const name = await nameOfIndex();
    await site.db.query(`DROP INDEX ${name}`);
    await addStatusesIndexes(site.db);
    await addStatusesIndexes(site.db);
    expect(await nameOfIndex()).toBe(name);
    expect(await indexes.count(index, 'published')).toBe(1);
  });
});

describe('the words of a document', () => {
  let sites: Sites;
  beforeAll(async () => {
    sites = await openSites(testStores().databaseUrl);
  });
  afterAll(() => sites.close());

  /** The storage of the words of an index: `m` keeps them in the row where it has room. */
  async function storageAfter(change: (db: Queryable, table: string) => Promise<unknown>): Promise<unknown> {
    const site = await sites.add();
    const index = newIndex();
    await postgresEngine().of(site).create(index);
    await change(site.db, tableOf('index', index));
    const [column] = await site.db.query<{ storage: string }>(
      `SELECT attstorage::text AS storage FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'terms'`,
      [tableOf('index', index)],
    );
    return column?.storage;
  }

  it('are kept in its row, also in tables of a former version', async () => {
    expect(await storageAfter(() => Promise.resolve())).toBe('m');
    const former = (db: Queryable, table: string) =>
      db.query(`ALTER TABLE ${table} ALTER COLUMN terms SET STORAGE EXTENDED`);
    expect(await storageAfter(former)).toBe('x');
    const migrated = async (db: Queryable, table: string) => {
      await former(db, table);
      await keepTermsInRows(db);
    };
    expect(await storageAfter(migrated)).toBe('m');
  });
});
