import { describe, expect, it } from '@jest/globals';
import { ulid } from '@quire/values';
import type { SiteIndexes } from '../port/search-engine.js';
import {
  searchStatuses,
  type DocumentView,
  type IndexDocument,
  type SearchIndex,
} from '../port/search-index.js';
import { searchIndexes, newIndex, newView, suggested } from './fixtures.js';

/** Texts that only searches of some statuses find. */
export function viewsConformance(siteIndexes: () => SiteIndexes): void {
  describe('a document with several views', () => {
    const documentOf = (version: number, ...views: DocumentView[]): IndexDocument => ({
      id: ulid(),
      version,
      locale: 'en',
      views,
    });
    const staged = () =>
      documentOf(
        1,
        newView({ statuses: ['published'], title: 'Lantern', body: 'lit before' }),
        newView({ statuses: ['draft'], title: 'Lamp', body: 'lit afterwards' }),
        newView({ statuses: ['all'], title: 'Lamp', body: 'lit before lit afterwards' }),
      );
    const filled = async (...documents: IndexDocument[]) => {
      const index = newIndex();
      await siteIndexes().create(index);
      await siteIndexes().put(index, documents);
      await siteIndexes().settle(index);
      return index;
    };
    /** The titles of the hits for each status. */
    const found = async (text: string, index: SearchIndex) => {
      const responses: [string, (string | null)[]][] = [];
      for (const status of searchStatuses) {
        const { hits } = await searchIndexes(siteIndexes(), text, { indexes: [index], status });
        responses.push([status, hits.map(({ title }) => title)]);
      }
      return Object.fromEntries(responses);
    };

    it('is found once in each status by the text of only that status', async () => {
      const document = staged();
      const index = await filled(document);
      const nothing = { published: [], draft: [], scheduled: [], all: [] };
      expect(await found('before', index)).toEqual({ ...nothing, published: ['Lantern'], all: ['Lamp'] });
      expect(await found('afterwards', index)).toEqual({ ...nothing, draft: ['Lamp'], all: ['Lamp'] });
      expect(await found('lit', index)).toEqual({
        ...nothing,
        published: ['Lantern'],
        draft: ['Lamp'],
        all: ['Lamp'],
      });
      for (const text of ['lit', 'lit missing', 'lit missing gone']) {
        const { hits } = await searchIndexes(siteIndexes(), text, { indexes: [index], status: 'draft' });
        expect(hits.map(({ id }) => id)).toEqual([document.id]);
      }
    });

    it('is suggested by its published title only', async () => {
      const index = await filled(staged());
      expect([
        await suggested(siteIndexes(), 'lan', index),
        await suggested(siteIndexes(), 'lam', index),
      ]).toEqual([['Lantern'], []]);
    });

    it('loses the views that its new version does not have', async () => {
      const document = staged();
      const index = await filled(document);
      await siteIndexes().put(index, [
        { ...document, version: 2, views: [newView({ title: 'Lamp', body: 'lit' })] },
      ]);
      await siteIndexes().settle(index);
      expect(await found('lit', index)).toEqual({
        published: ['Lamp'],
        draft: [],
        scheduled: [],
        all: ['Lamp'],
      });
      expect(await found('afterwards', index)).toEqual({ published: [], draft: [], scheduled: [], all: [] });
      await siteIndexes().put(index, [document]);
      await siteIndexes().settle(index);
      expect(await found('afterwards', index)).toEqual({ published: [], draft: [], scheduled: [], all: [] });
      expect([await siteIndexes().isIntact(index), await siteIndexes().hasFailed(index)]).toEqual([
        true,
        false,
      ]);
    });

    it('is not found in any view after its removal', async () => {
      const document = staged();
      const index = await filled(document);
      await siteIndexes().remove(index, [{ id: document.id, version: 2 }]);
      await siteIndexes().settle(index);
      expect(await found('lit', index)).toEqual({ published: [], draft: [], scheduled: [], all: [] });
      expect(await siteIndexes().isIntact(index)).toBe(true);
    });

    it('is counted in each of its statuses', async () => {
      const index = await filled(
        staged(),
        documentOf(1, newView({ statuses: ['scheduled', 'all'], title: 'Torch' })),
      );
      const counts = [];
      for (const status of searchStatuses) counts.push(await siteIndexes().count(index, status));
      expect(counts).toEqual([1, 1, 1, 2]);
      expect(await siteIndexes().isIntact(index)).toBe(true);
    });

    it('has its newest version when versions with more and fewer views are put concurrently', async () => {
      const document = staged();
      const index = await filled();
      const put = (version: number) => {
        const views = version % 2 === 0 ? [newView({ title: `version ${version}` })] : document.views;
        return siteIndexes().put(index, [{ ...document, version, views }]);
      };
      const results = await Promise.all(Array.from({ length: 12 }, (_, place) => put(place + 1)));
      if (results.some(({ superseded }) => superseded.length > 0)) await put(12);
      await siteIndexes().settle(index);
      expect(await found('afterwards', index)).toEqual({ published: [], draft: [], scheduled: [], all: [] });
      expect((await found('version', index))['published']).toEqual(['version 12']);
      expect(await siteIndexes().isIntact(index)).toBe(true);
    });
  });
}
