import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SiteIndexes } from '../port/search-engine.js';
import { searchLimits, tokenizers, type SearchIndex } from '../port/search-index.js';
import { searchIndexes, indexOf, suggested } from './fixtures.js';

/** Pages of hits, several collections at once, and suggestions. */
export function pagesConformance(siteIndexes: () => SiteIndexes): void {
  describe('pages', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(
        siteIndexes(),
        Array.from({ length: 25 }, (_, place) => ({ title: `t${place}`, body: 'same rare' })),
      );
    });

    it.each(['same', 'same xyzzy'])(
      'of %s have every hit once, and hasMore is false on the last',
      async (text) => {
        const seen: string[] = [];
        let hasMore = true;
        for (let offset = 0; hasMore; offset += 10) {
          const page = await searchIndexes(siteIndexes(), text, { indexes: [index], limit: 10, offset });
          seen.push(...page.hits.map(({ id }) => id));
          hasMore = page.hasMore;
        }
        expect(seen).toHaveLength(25);
        expect(new Set(seen).size).toBe(25);
      },
    );

    it('have an exact hasMore, and are empty beyond the end', async () => {
      const page = (offset: number, limit: number) =>
        searchIndexes(siteIndexes(), 'same', { indexes: [index], offset, limit });
      expect((await page(0, 25)).hasMore).toBe(false);
      expect((await page(0, 24)).hasMore).toBe(true);
      expect(await page(25, 10)).toEqual({ hits: [], hasMore: false });
      expect(await page(searchLimits.maxHits, 10)).toEqual({ hits: [], hasMore: false });
      expect(await page(Number.MAX_SAFE_INTEGER, 10)).toEqual({ hits: [], hasMore: false });
    });

    it('do not continue with hits of some words after those of all words', async () => {
      const more = await indexOf(siteIndexes(), [
        { title: 'all', body: 'red green' },
        { title: 'some', body: 'red' },
      ]);
      const options = { indexes: [more], limit: 1 };
      expect((await searchIndexes(siteIndexes(), 'red green', options)).hasMore).toBe(false);
      expect((await searchIndexes(siteIndexes(), 'red green', { ...options, offset: 1 })).hits).toEqual([]);
    });
  });

  describe('several collections', () => {
    it('are searched together, best hits first, each with its own tokenizer', async () => {
      const [english, plain, parts] = await Promise.all(
        tokenizers.map((tokenizer) =>
          indexOf(
            siteIndexes(),
            [
              { title: `${tokenizer} castles`, body: 'walls' },
              { title: `${tokenizer} other`, body: 'also of castles' },
            ],
            { tokenizer },
          ),
        ),
      );
      const all = [english, plain, parts] as SearchIndex[];
      const { hits } = await searchIndexes(siteIndexes(), 'castles', { indexes: all });
      expect(hits).toHaveLength(6);
      expect(hits.slice(0, 3).map(({ title }) => title?.endsWith('castles'))).toEqual([true, true, true]);
      expect(new Set(hits.slice(0, 3).map(({ collectionId }) => collectionId)).size).toBe(3);
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((one, other) => other - one));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
      expect((await searchIndexes(siteIndexes(), 'castling', { indexes: all })).hits).toHaveLength(2);
      expect((await searchIndexes(siteIndexes(), 'astle', { indexes: all })).hits).toHaveLength(2);
    });

    it('have no hits when there are none', async () => {
      expect(await searchIndexes(siteIndexes(), 'anything', { indexes: [] })).toEqual({
        hits: [],
        hasMore: false,
      });
      expect(await siteIndexes().suggest({ text: 'anything', indexes: [], limit: 5 })).toEqual([]);
    });

    it('are limited in number', async () => {
      const index = await indexOf(siteIndexes(), []);
      const indexes = Array.from({ length: searchLimits.collectionsPerSearch + 1 }, () => index);
      await expect(searchIndexes(siteIndexes(), 'text', { indexes })).rejects.toThrow(RangeError);
    });
  });

  describe('suggestions', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      const titles = [
        'Élan vital',
        'elan',
        'Electric',
        'Elephants on parade',
        '  Spaced   out ',
        '100% sure',
      ];
      index = await indexOf(
        siteIndexes(),
        [...titles, `L${'o'.repeat(300)}ng`, null].map((title) => ({ title })),
      );
    });
    it.each([
      ['el', ['elan', 'Élan vital', 'Electric', 'Elephants on parade']],
      ['ELÁN', ['elan', 'Élan vital']],
      ['elan v', ['Élan vital']],
      ['phants', []],
      ['spaced  o', ['  Spaced   out ']],
      ['100%', ['100% sure']],
      ['1', ['100% sure']],
      ['%', []],
      ['_lan', []],
      ['"el', []],
      ['', []],
      [`lo${'o'.repeat(60)}`, [`L${'o'.repeat(300)}ng`]],
      [`lo${'o'.repeat(60)}x`, []],
      ['\ud800 el\0', ['elan', 'Élan vital', 'Electric', 'Elephants on parade']],
    ])('of %j are %j', async (text, titles) =>
      expect(await suggested(siteIndexes(), text, index)).toEqual(titles),
    );

    it('are limited by the request, across collections in one order', async () => {
      const other = await indexOf(siteIndexes(), [{ title: 'Eland' }, { title: 'Eleven' }], {
        tokenizer: 'trigram',
      });
      const found = await siteIndexes().suggest({ text: 'el', indexes: [index, other], limit: 4 });
      expect(found.map(({ title }) => title)).toEqual(['elan', 'Élan vital', 'Eland', 'Electric']);
      expect(found[2]?.collectionId).toBe(other.collectionId);
    });
  });
}
