import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import {
  searchIndexes,
  newDocument,
  newIndex,
  newView,
  openSites,
  titlesOf,
  type Sites,
} from '../conformance/fixtures.js';
import { postgresEngine } from '../postgres/postgres-engine.js';
import { addViewsToTables } from './add-views.js';
import { tableOf } from './index-tables.js';

describe('tables of indexes of format 1', () => {
  let sites: Sites;
  beforeAll(async () => {
    sites = await openSites(testStores().databaseUrl);
  });
  afterAll(() => sites.close());

  /** A site with an index from the time before documents had views. */
  async function openOldSite() {
    const site = await sites.add();
    const index = newIndex();
    const indexes = postgresEngine().of(site);
    await indexes.create(index);
    await indexes.put(index, [newDocument({ id: 'kept', title: 'kept text' })]);
    await indexes.remove(index, [{ id: 'gone', version: 1 }]);
    const table = tableOf('index', index);
    await site.db.query(`ALTER TABLE ${table} DROP COLUMN view, DROP COLUMN statuses`);
    await site.db.query(`ALTER TABLE ${table} ADD CONSTRAINT old_key PRIMARY KEY (id)`);
    const ledger = tableOf('ledger', index);
    await site.db.query(
      `CREATE TABLE ${ledger}
         (id text PRIMARY KEY, version bigint NOT NULL, is_removed boolean NOT NULL, is_sent boolean NOT NULL)`,
    );
    return { site, index, indexes, ledger };
  }

  it('are searched, counted and written like those of format 2', async () => {
    const { site, index, indexes, ledger } = await openOldSite();
    await addViewsToTables(site.db);
    expect(await titlesOf(indexes, 'kept', index)).toEqual(['kept text']);
    expect(await indexes.count(index, 'all')).toBe(1);
    const views = [newView({ title: 'new text' }), newView({ statuses: ['draft'], title: 'draft text' })];
    await indexes.put(index, [{ id: 'kept', version: 2, locale: 'en', views }]);
    const { hits } = await searchIndexes(indexes, 'text', { indexes: [index], status: 'draft' });
    expect(hits.map(({ id, title }) => [id, title])).toEqual([['kept', 'draft text']]);
    await indexes.put(index, [newDocument({ id: 'gone', version: 0, title: 'too late' })]);
    expect(await titlesOf(indexes, 'late', index)).toEqual([]);
    await site.db.query(
      `INSERT INTO ${ledger} (id, version, is_removed, is_sent) VALUES ('kept', 1, false, true)`,
    );
    expect(await site.db.query(`SELECT views FROM ${ledger}`)).toEqual([{ views: 1 }]);
  });
});
