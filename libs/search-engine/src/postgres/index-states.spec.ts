import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, testStores } from '@quire/testing';
import { newDocument, newIndex, openSites, type Sites } from '../conformance/fixtures.js';
import { tableOf } from '../tables/index-tables.js';
import { postgresEngine } from './postgres-engine.js';

describe('the state of an index on PostgreSQL', () => {
  let sites: Sites;
  beforeAll(async () => {
    sites = await openSites(testStores().databaseUrl);
  });
  afterAll(() => sites.close());

  it.each([
    ['deletion of rows', 'DELETE FROM'],
    ['truncation', 'TRUNCATE'],
    ['loss of the table', 'DROP TABLE'],
  ])('differs after a %s by a statement of an operator', async (_name, statement) => {
    const site = await sites.add();
    const index = newIndex();
    const engine = postgresEngine();
    const stateAfter = (before: string) =>
      eventually(
        async () => (await engine.readStates(site.db)).of(site.tenantId, index.collectionId),
        (state) => state !== before,
      );
    await engine.of(site).create(index);
    const created = await stateAfter('');
    await engine.of(site).put(index, [newDocument({ title: 'text' })]);
    const filled = await stateAfter(created);
    await site.db.query(`${statement} ${tableOf('index', index)}`);
    expect(await stateAfter(filled)).not.toBe(filled);
  });
});
