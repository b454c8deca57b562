import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SiteIndexes } from '../port/search-engine.js';
import type { SearchIndex, Tokenizer } from '../port/search-index.js';
import { indexOf, suggested, titlesOf } from './fixtures.js';

/** The matches of a text with each tokenizer. */
export function matchingConformance(siteIndexes: () => SiteIndexes): void {
  const found = (text: string, index: SearchIndex) => titlesOf(siteIndexes(), text, index);

  describe('with porter unicode61', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(siteIndexes(), [
        { title: 'one', body: 'She runs every morning' },
        { title: 'two', body: 'Generational change in a Crème brûlée' },
      ]);
    });
    it.each([
      ['running', ['one']],
      ['run', ['one']],
      ['RUNS', ['one']],
      ['runn', []],
      ['mornings', ['one']],
      ['generation', ['two']],
      ['creme brulee', ['two']],
      ['CRÈME', ['two']],
      ['cre\u0300me', ['two']],
    ])('%s finds %j', async (text, titles) => expect(await found(text, index)).toEqual(titles));
  });

  describe('with unicode61', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(
        siteIndexes(),
        [
          { title: 'one', body: 'She runs in São Paulo and in Łódź' },
          { title: 'two', body: 'Ελλάδα, ОБЪЁМ, straße, ﬁnal, ＦＵＬＬ' },
          { title: 'three', body: 'שָׁלוֹם עולם مُحَمَّد' },
        ],
        { tokenizer: 'unicode61' },
      );
    });
    it.each([
      ['runs', ['one']],
      ['running', []],
      ['sao paulo', ['one']],
      ['SÃO', ['one']],
      ['lodz', ['one']],
      ['ελλαδα', ['two']],
      ['объем', ['two']],
      ['STRASSE', ['two']],
      ['final', ['two']],
      ['full', ['two']],
      ['שלום', ['three']],
      ['محمد', ['three']],
    ])('%s finds %j', async (text, titles) => expect(await found(text, index)).toEqual(titles));
  });

  describe('with trigram', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(
        siteIndexes(),
        [
          { title: '東京タワーの夜景', body: '展望台からの眺めは最高でした。' },
          { title: '京都', body: '清水寺と金閣寺を訪れた。東京都ではない。' },
          { title: 'English', body: 'Substring matching, abcd and bcde, C++ too' },
          { title: '会社', body: '㍿東京 has ﬁxed it' },
          { title: 'ไทย', body: 'ภาษาไทยไม่มีช่องว่าง 👩‍👩‍👧‍👦👍🏽🎉' },
        ],
        { tokenizer: 'trigram' },
      );
    });
    it.each([
      ['東京タ', ['東京タワーの夜景']],
      ['京タワー', ['東京タワーの夜景']],
      ['展望台から', ['東京タワーの夜景']],
      ['清水寺と金閣寺', ['京都']],
      ['ﾀﾜｰ', ['東京タワーの夜景']],
      ['string', ['English']],
      ['STRING MATCH', ['English']],
      ['"string match"', ['English']],
      ['string watch', ['English']],
      ['c++', ['English']],
      ['abc', ['English']],
      ['ไม่มี', ['ไทย']],
      ['👍🏽🎉', ['ไทย']],
      ['株式会', ['会社']],
      ['ﬁxe', ['会社']],
      ['㍿東京', ['会社']],
      ['㍿', []],
      ['ﬁx', []],
      ['"ﬁx"', []],
      ['e\u0301e\u0301', []],
      ['東京', []],
      ['京', []],
      ['ab', []],
      ['東京 都で', []],
      ['', []],
    ])('%s finds %j', async (text, titles) => expect(await found(text, index)).toEqual(titles));

    it('ignores terms that are too short among longer ones', async () => {
      expect(await found('string of', index)).toEqual(['English']);
    });
  });

  describe('several words', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(siteIndexes(), [
        { title: 'both', body: 'The quick fox and the brown dog' },
        { title: 'apart quick', body: 'brown only here' },
        { title: 'one', body: 'quick alone' },
        { title: 'three of four', body: 'winter spring summer' },
        { title: 'two of four', body: 'winter spring' },
      ]);
    });

    it('must all match, in any fields', async () => {
      expect((await found('quick brown', index)).sort()).toEqual(['apart quick', 'both']);
    });

    it('may be repeated', async () => {
      expect(await found('quick quick alone alone', index)).toEqual(['one']);
    });

    it('match documents with most of them when none has all', async () => {
      expect(await found('winter spring summer autumn', index)).toEqual(['three of four', 'two of four']);
    });

    it('match documents with one of them when none has more', async () => {
      expect(await found('alone xyzzy', index)).toEqual(['one']);
    });

    it('match nothing when no document has any', async () => {
      expect(await found('xyzzy plugh', index)).toEqual([]);
    });
  });

  describe('quotation marks', () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(siteIndexes(), [
        { title: 'together', body: 'a brown fox jumps' },
        { title: 'turned round', body: 'a fox that is brown' },
        { title: 'brown', body: 'fox' },
      ]);
    });
    it.each([
      ['"brown fox"', ['together']],
      ['“brown fox”', ['together']],
      ['"brown foxes" jump', ['together']],
      ['"fox jum"', []],
      ['"brown', ['brown', 'together', 'turned round']],
      ['brown"', ['brown', 'together', 'turned round']],
      ['""', []],
      ['"" brown fox jumps', ['together']],
    ])('%s find %j', async (text, titles) => expect((await found(text, index)).sort()).toEqual(titles));
  });

  describe('the last word', () => {
    it.each<Tokenizer>(['porter unicode61', 'unicode61'])(
      'matches as a prefix, and words before it do not (%s)',
      async (tokenizer) => {
        const index = await indexOf(
          siteIndexes(),
          [
            { title: 'one', body: 'administration of databases' },
            { title: 'two', body: 'administrator' },
          ],
          { tokenizer },
        );
        expect((await found('administr', index)).sort()).toEqual(['one', 'two']);
        expect(await found('databases adminis', index)).toEqual(['one']);
        expect(await found('adminis databases', index)).toEqual(['one']);
        expect(await found('adminis xyzzy', index)).toEqual([]);
        expect(await found('a', index)).toEqual([]);
      },
    );

    it('matches as a stem and as a prefix', async () => {
      const index = await indexOf(siteIndexes(), [
        { title: 'a run' },
        { title: 'runnings' },
        { title: 'runner' },
      ]);
      expect((await found('running', index)).sort()).toEqual(['a run', 'runnings']);
      expect((await found('runn', index)).sort()).toEqual(['runner', 'runnings']);
    });
  });

  describe('a locale', () => {
    it('restricts hits, of all words and of some, and suggestions', async () => {
      const index = await indexOf(siteIndexes(), [
        { title: 'Hotel one', locale: 'en' },
        { title: 'Hotel deux', locale: 'fr' },
        { title: 'Hotel zwei', locale: 'de-AT' },
      ]);
      const inLocale = (text: string, locale: string) => titlesOf(siteIndexes(), text, index, { locale });
      expect(await inLocale('hotel', 'fr')).toEqual(['Hotel deux']);
      expect(await inLocale('hotel', 'de-AT')).toEqual(['Hotel zwei']);
      expect(await inLocale('hotel', 'DE-at')).toEqual(['Hotel zwei']);
      expect(await inLocale('hotel', 'de')).toEqual([]);
      expect(await inLocale('hotel', `x' OR "locale" = 'fr`)).toEqual([]);
      expect(await inLocale('hotel one', 'fr')).toEqual(['Hotel deux']);
      for (const locale of ['en', 'EN'])
        expect(await suggested(siteIndexes(), 'hotel', index, { locale })).toEqual(['Hotel one']);
    });
  });
}
