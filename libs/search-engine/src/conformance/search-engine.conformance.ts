import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { ulid } from '@quire/values';
import type { SearchEngine, SearchSite, SiteIndexes } from '../port/search-engine.js';
import { SearchIndexMissing } from '../port/search-engine-errors.js';
import { lastVersion, searchLimits, type SearchIndex } from '../port/search-index.js';
import {
  searchIndexes,
  indexOf,
  newDocument,
  newIndex,
  openSites,
  suggested,
  titlesOf,
  type Sites,
} from './fixtures.js';
import { matchingConformance } from './matching.conformance.js';
import { pagesConformance } from './pages.conformance.js';
import { relevanceConformance } from './relevance.conformance.js';
import { statesConformance } from './states.conformance.js';
import { textConformance } from './text.conformance.js';
import { viewsConformance } from './views.conformance.js';

/** The requirements on every engine of the search engine port. */
export function searchEngineConformance(name: string, open: () => SearchEngine): void {
  // An engine on a busy machine may take its time with accepted tasks.

  describe(`the search engine ${name}`, () => {
    let engine: SearchEngine;
    let sites: Sites;
    let site: SearchSite;
    let indexes: SiteIndexes;
    beforeAll(async () => {
      engine = open();
      sites = await openSites(testStores().databaseUrl);
      site = await sites.add();
      indexes = engine.of(site);
    });
    afterAll(async () => {
      await indexes.dropAll();
      await engine.close();
      await sites.close();
    });

    describe('an index', () => {
      it('is empty when created, and keeps its documents when created again', async () => {
        const index = newIndex();
        await indexes.create(index);
        expect(await indexes.count(index, 'published')).toBe(0);
        await indexes.put(index, [newDocument({ title: 'kept' })]);
        await indexes.settle(index);
        await indexes.create(index);
        expect(await indexes.count(index, 'published')).toBe(1);
        expect(await titlesOf(indexes, 'kept', index)).toEqual(['kept']);
      });

      it('is created once by concurrent calls', async () => {
        const index = newIndex();
        await Promise.all(Array.from({ length: 4 }, () => indexes.create(index)));
        expect(await indexes.isIntact(index)).toBe(true);
      });

      it('is built independently of the generation that is searched', async () => {
        const live = await indexOf(indexes, [{ title: 'old words' }]);
        const next = await indexOf(indexes, [{ title: 'new words' }], { ...live, generation: 2 });
        expect(await titlesOf(indexes, 'words', live)).toEqual(['old words']);
        expect(await titlesOf(indexes, 'words', next)).toEqual(['new words']);
        await indexes.drop(live);
        expect(await titlesOf(indexes, 'words', next)).toEqual(['new words']);
        await expect(titlesOf(indexes, 'words', live)).rejects.toThrow(SearchIndexMissing);
      });

      const uses: [string, (index: SearchIndex) => Promise<unknown>][] = [
        ['search', (index) => searchIndexes(indexes, 'text', { indexes: [index] })],
        ['suggest', (index) => suggested(indexes, 'text', index)],
        ['put', (index) => indexes.put(index, [newDocument({ title: 'text' })])],
        ['remove', (index) => indexes.remove(index, [{ id: ulid(), version: 1 }])],
        ['settle', (index) => indexes.settle(index)],
        ['count', (index) => indexes.count(index, 'published')],
      ];
      it.each(uses)('throws SearchIndexMissing when it is missing: %s', async (_use, use) => {
        const index = newIndex();
        const failure = await use(index).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(SearchIndexMissing);
        expect(failure).toMatchObject({ collectionId: index.collectionId, generation: 1 });
        expect(await indexes.isIntact(index)).toBe(false);
      });

      it('is named in the error when only it is missing', async () => {
        const there = await indexOf(indexes, [{ title: 'text' }]);
        const missing = newIndex();
        await expect(searchIndexes(indexes, 'text', { indexes: [there, missing] })).rejects.toMatchObject({
          collectionId: missing.collectionId,
        });
      });

      it('can be dropped repeatedly', async () => {
        const index = await indexOf(indexes, [{ title: 'text' }]);
        await indexes.drop(index);
        await indexes.drop(index);
        await expect(searchIndexes(indexes, 'text', { indexes: [index] })).rejects.toThrow(
          SearchIndexMissing,
        );
      });

      it('is empty when created again after it was dropped', async () => {
        const index = await indexOf(indexes, [{ title: 'text' }]);
        await indexes.drop(index);
        await indexes.create(index);
        expect(await indexes.count(index, 'published')).toBe(0);
        expect(await indexes.isIntact(index)).toBe(true);
      });
    });

    describe('all generations of a collection', () => {
      it('are dropped together, without those of another collection', async () => {
        const first = await indexOf(indexes, [{ title: 'text' }]);
        const second = await indexOf(indexes, [{ title: 'text' }], { ...first, generation: 12 });
        const other = await indexOf(indexes, [{ title: 'text' }]);
        await indexes.dropCollection(first.collectionId);
        await expect(indexes.count(first, 'published')).rejects.toThrow(SearchIndexMissing);
        await expect(indexes.count(second, 'published')).rejects.toThrow(SearchIndexMissing);
        expect(await indexes.count(other, 'published')).toBe(1);
      });
    });

    describe('a tenant', () => {
      it('neither sees nor drops indexes of another with the same collection id', async () => {
        const other = engine.of(await sites.add());
        const own = await indexOf(indexes, [{ title: 'mine alone' }]);
        await expect(titlesOf(other, 'mine', own)).rejects.toThrow(SearchIndexMissing);
        await other.create(own);
        expect(await titlesOf(other, 'mine', own)).toEqual([]);
        expect(await suggested(other, 'mine', own)).toEqual([]);
        await other.dropAll();
        await expect(other.count(own, 'published')).rejects.toThrow(SearchIndexMissing);
        expect(await titlesOf(indexes, 'mine', own)).toEqual(['mine alone']);
      });
    });

    describe('a document', () => {
      it('is replaced by the same version and by a newer one', async () => {
        const index = newIndex();
        await indexes.create(index);
        const id = ulid();
        await indexes.put(index, [newDocument({ id, title: 'first', version: 3 })]);
        await indexes.put(index, [newDocument({ id, title: 'second', version: 3 })]);
        await indexes.put(index, [newDocument({ id, title: 'third', version: 4 })]);
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'first second third', index)).toEqual(['third']);
        expect(await indexes.count(index, 'published')).toBe(1);
      });

      it('is not replaced by an older version that arrives later', async () => {
        const index = newIndex();
        await indexes.create(index);
        const document = newDocument({ title: 'newer', version: 4 });
        expect(await indexes.put(index, [document])).toEqual({ superseded: [] });
        expect(
          await indexes.put(index, [newDocument({ id: document.id, title: 'older', version: 3 })]),
        ).toEqual({
          superseded: [],
        });
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'newer older', index)).toEqual(['newer']);
      });

      it('loses the words that its new version does not have', async () => {
        const index = newIndex();
        await indexes.create(index);
        const document = newDocument({ title: 'apples', body: 'and pears' });
        await indexes.put(index, [document]);
        await indexes.put(index, [newDocument({ id: document.id, version: 2, body: 'cherries' })]);
        await indexes.settle(index);
        expect((await searchIndexes(indexes, 'apples', { indexes: [index] })).hits).toEqual([]);
        expect(await suggested(indexes, 'apples', index)).toEqual([]);
        expect((await searchIndexes(indexes, 'cherries', { indexes: [index] })).hits).toHaveLength(1);
      });

      it('is not found after its removal, and an older version does not restore it', async () => {
        const index = newIndex();
        await indexes.create(index);
        const document = newDocument({ title: 'removed', version: 5 });
        await indexes.put(index, [document]);
        await indexes.remove(index, [{ id: document.id, version: 6 }]);
        await indexes.put(index, [document]);
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'removed', index)).toEqual([]);
        expect(await indexes.count(index, 'published')).toBe(0);
        expect(await indexes.isIntact(index)).toBe(true);
      });

      it('is not added by an older version after its removal', async () => {
        const index = newIndex();
        await indexes.create(index);
        const document = newDocument({ title: 'late', version: 5 });
        await indexes.remove(index, [{ id: document.id, version: 6 }]);
        await indexes.put(index, [document]);
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'late', index)).toEqual([]);
      });

      it('is not removed by an older version, is restored by a newer one, but not after lastVersion', async () => {
        const index = newIndex();
        await indexes.create(index);
        const document = newDocument({ title: 'here', version: 5 });
        await indexes.put(index, [document]);
        await indexes.remove(index, [{ id: document.id, version: 4 }]);
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'here', index)).toEqual(['here']);
        await indexes.remove(index, [{ id: document.id, version: 6 }]);
        await indexes.put(index, [{ ...document, version: 7 }]);
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'here', index)).toEqual(['here']);
        await indexes.remove(index, [{ id: document.id, version: lastVersion }]);
        await indexes.put(index, [{ ...document, version: 8 }]);
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'here', index)).toEqual([]);
      });

      it('has its newest version, or is reported, when many versions are put concurrently', async () => {
        const index = newIndex();
        await indexes.create(index);
        const versions = Array.from({ length: 12 }, (_, place) => place + 1);
        const id = ulid();
        const put = (version: number) =>
          indexes.put(index, [newDocument({ id, version, title: `version ${version}` })]);
        const results = await Promise.all(versions.map(put));
        if (results.some(({ superseded }) => superseded.length > 0)) await put(12);
        await indexes.settle(index);
        expect(await titlesOf(indexes, 'version', index)).toEqual(['version 12']);
      });

      it('is accepted in a batch of maximum size, and rejected in a larger one', async () => {
        const index = newIndex('unicode61');
        await indexes.create(index);
        const documents = Array.from({ length: searchLimits.documentsPerBatch }, (_, place) =>
          newDocument({ title: `number ${place}` }),
        );
        await indexes.put(index, documents);
        await indexes.settle(index);
        expect(await indexes.count(index, 'published')).toBe(documents.length);
        await expect(indexes.put(index, [...documents, newDocument({})])).rejects.toThrow(RangeError);
        const one = newDocument({});
        await expect(indexes.put(index, [one, one])).rejects.toThrow(RangeError);
        await indexes.remove(index, documents);
        await indexes.settle(index);
        expect(await indexes.count(index, 'published')).toBe(0);
      });
    });

    it('responds to a ping', async () => {
      await engine.ping();
    });

    const siteIndexes = () => indexes;
    matchingConformance(siteIndexes);
    pagesConformance(siteIndexes);
    textConformance(siteIndexes);
    relevanceConformance(siteIndexes);
    viewsConformance(siteIndexes);
    statesConformance(() => ({ engine, sites, site }));
  });
}
