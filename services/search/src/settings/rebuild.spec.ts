import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SearchIndexMissing, type SearchIndex, type SiteIndexes } from '@quire/search-engine';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import type { ContentClient } from '../clients/index.js';
import { startBuild } from '../indexing/index.js';
import { searchTables } from '../migrations/index.js';
import type { SearchDeps } from '../search-deps.js';
import { searchEntities } from '../search.module.js';
import { rebuildSearchIndex } from './settings.operations.js';

const collection = { id: 'c1', slug: 'posts', hidden: false, fields: ['title'], fingerprint: 'f1' };
const entry = { id: '01', version: 1, views: [] };
let search: ServiceTenant;

beforeAll(async () => {
  search = await openServiceTenant('spec-of-rebuild', 'search', searchTables, searchEntities);
});
beforeEach(async () => {
  await search.ctx.db.query('DELETE FROM search_collections');
  await search.ctx.db.query(
    `INSERT INTO search_collections (collection_id, slug, hidden, enabled, tokenizer, weights)
     VALUES ('c1', 'posts', false, true, 'porter unicode61', '{}')`,
  );
});
afterAll(() => search.close());

/** A content service with one entry. */
const content: Partial<ContentClient> = {
  collection: () => Promise.resolve(collection as never),
  page: (_ctx, _slug, after) =>
    Promise.resolve({ collection, documents: after === null ? [entry] : [], removed: [], left: [] } as never),
};

/** Counts of documents by generation, with calls at the points at which other requests run. */
class Indexes implements Partial<SiteIndexes> {
  readonly counts = new Map<number, number>();
  beforeDrop: () => Promise<void> = () => Promise.resolve();
  beforeCount: () => Promise<void> = () => Promise.resolve();

  create = ({ generation }: SearchIndex) => Promise.resolve(void this.counts.set(generation, 0));
  put: SiteIndexes['put'] = ({ generation }, documents) => {
    this.counts.set(generation, documents.length);
    return Promise.resolve({ superseded: [] });
  };
  settle = () => Promise.resolve(true);
  isIntact = () => Promise.resolve(true);
  hasFailed = () => Promise.resolve(false);
  drop: SiteIndexes['drop'] = async ({ generation }) => {
    await this.beforeDrop();
    this.counts.delete(generation);
  };
  count: SiteIndexes['count'] = async ({ collectionId, generation }) => {
    await this.beforeCount();
    const count = this.counts.get(generation);
    if (count === undefined) throw new SearchIndexMissing(collectionId, generation);
    return count;
  };
}

describe('a rebuild of a search index', () => {
  const depsWith = (indexes: Indexes) => ({ content, indexesOf: () => indexes }) as unknown as SearchDeps;

  it('returns the entries of its own build while the build of another request begins', async () => {
    const indexes = new Indexes();
    const deps = depsWith(indexes);
    const rebuild = () => rebuildSearchIndex(search.ctx, deps, 'posts');
    expect(await rebuild()).toEqual({ collection: 'posts', indexed: 1 });
    indexes.beforeDrop = () => startBuild(search.ctx, deps, 'c1', collection as never);
    expect(await rebuild()).toEqual({ collection: 'posts', indexed: 1 });
  });

  it('returns the entries of the next build that replaced its index before the count', async () => {
    const indexes = new Indexes();
    const deps = depsWith(indexes);
    const rebuild = () => rebuildSearchIndex(search.ctx, deps, 'posts');
    indexes.beforeCount = async () => {
      indexes.beforeCount = () => Promise.resolve();
      await rebuild();
    };
    expect(await rebuild()).toEqual({ collection: 'posts', indexed: 1 });
  });

  it('returns 0 for an index that the engine has lost', async () => {
    const indexes = new Indexes();
    indexes.beforeCount = () => Promise.resolve(indexes.counts.clear());
    expect(await rebuildSearchIndex(search.ctx, depsWith(indexes), 'posts')).toEqual({
      collection: 'posts',
      indexed: 0,
    });
  });
});
