import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { newIndex, openSites, type Sites } from '../conformance/fixtures.js';
import type { SearchSite } from '../port/search-engine.js';
import { SearchEngineUnavailable } from '../port/search-engine-errors.js';
import {
  dropTable,
  hasTable,
  indexesWithTable,
  onTables,
  mapDatabaseErrors,
  tableOf,
} from './index-tables.js';

describe('index tables', () => {
  let sites: Sites;
  let site: SearchSite;
  beforeAll(async () => {
    sites = await openSites(testStores().databaseUrl);
    site = await sites.add();
  });
  afterAll(() => sites.close());

  it('are listed by kind and collection, in the tenant’s schema only', async () => {
    const other = await sites.add();
    const index = newIndex();
    const indexes = [index, { ...index, generation: 12 }, newIndex()];
    for (const { db } of [site, other])
      for (const one of indexes) await db.query(`CREATE TABLE ${tableOf('ledger', one)} (id text)`);
    await site.db.query('CREATE TABLE search_ledger_of_somebody (id text)');
    expect(await indexesWithTable(site.db, 'index')).toEqual([]);
    expect(await indexesWithTable(site.db, 'ledger')).toHaveLength(3);
    expect(await indexesWithTable(site.db, 'ledger', index.collectionId)).toEqual([
      { collectionId: index.collectionId, generation: 1 },
      { collectionId: index.collectionId, generation: 12 },
    ]);
    await dropTable(site.db, 'ledger', index);
    expect(await hasTable(site.db, 'ledger', index)).toBe(false);
    expect(await hasTable(other.db, 'ledger', index)).toBe(true);
  });

  const troubles: [string, () => Promise<unknown>][] = [
    ['a connection that breaks', () => site.db.query('SELECT pg_terminate_backend(pg_backend_pid())')],
    [
      'a statement that takes too long',
      () =>
        site.db.transaction(async (tx) => {
          await tx.query('SET LOCAL statement_timeout = 50');
          await tx.query('SELECT pg_sleep(20)');
        }),
    ],
  ];
  it.each(troubles)('throw SearchEngineUnavailable for %s', async (_name, trouble) => {
    await expect(onTables(site.db, 'index', [newIndex()], trouble)).rejects.toThrow(SearchEngineUnavailable);
    await expect(mapDatabaseErrors(trouble)).rejects.toThrow(SearchEngineUnavailable);
  });

  it('rethrow programming errors', async () => {
    const mistake = () => site.db.query('SELECT missing');
    await expect(onTables(site.db, 'index', [newIndex()], mistake)).rejects.toMatchObject({ code: '42703' });
    const elsewhere = () => site.db.query('SELECT 1 FROM some_other_table');
    await expect(onTables(site.db, 'index', [], elsewhere)).rejects.toMatchObject({ code: '42P01' });
  });
});
