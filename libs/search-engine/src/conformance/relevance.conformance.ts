import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SiteIndexes } from '../port/search-engine.js';
import { tokenizers, type SearchIndex, type Tokenizer } from '../port/search-index.js';
import { searchIndexes, indexOf, suggested, titlesOf, type Given } from './fixtures.js';

const exports = new URL('../../../../tests/fixtures/wxr/', import.meta.url);

/** Entries of a real export (tests/fixtures/wxr), without their markup. */
function entriesOf(file: string, types: RegExp): Given[] {
  const xml = gunzipSync(readFileSync(new URL(`${file}.gz`, exports))).toString('utf8');
  const value = (item: string, tag: string) => {
    const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(item)?.[1] ?? '';
    return text.replaceAll('<![CDATA[', '').replaceAll(']]>', '');
  };
  return Array.from(xml.matchAll(/<item>(.*?)<\/item>/gs), ([, item = '']) => item)
    .filter((item) => types.test(value(item, 'wp:post_type')))
    .map((item) => ({
      title: value(item, 'title'),
      body: value(item, 'content:encoded').replace(/<!--.*?-->|<[^>]*>/gs, ' '),
    }));
}

/** The order of hits. */
export function relevanceConformance(siteIndexes: () => SiteIndexes): void {
  describe('relevance', () => {
    it.each<Tokenizer>(['porter unicode61', 'unicode61', 'trigram'])(
      'is greatest in the title, then in the heavier field (%s)',
      async (tokenizer) => {
        const index = await indexOf(
          siteIndexes(),
          [
            { title: 'third', fields: { body: 'something about lighthouses here', note: 'x' } },
            { title: 'fourth', fields: { body: 'x', note: 'something about lighthouses here' } },
            { title: 'second', fields: { summary: 'something about lighthouses here', body: 'x' } },
            { title: 'first lighthouses', fields: { body: 'x' } },
          ],
          { tokenizer, weights: { summary: 4, body: 2, note: 1 } },
        );
        expect(await titlesOf(siteIndexes(), 'lighthouses', index)).toEqual([
          'first lighthouses',
          'second',
          'third',
          'fourth',
        ]);
      },
    );

    it('follows the given weights, including that of the title', async () => {
      const documents = [
        { title: 'lighthouses', fields: { keywords: 'x' } },
        { title: 'second', fields: { keywords: 'lighthouses' } },
      ];
      const byTitle = await indexOf(siteIndexes(), documents, { weights: { keywords: 5 } });
      expect((await titlesOf(siteIndexes(), 'lighthouses', byTitle))[0]).toBe('lighthouses');
      const byKeywords = await indexOf(siteIndexes(), documents, {
        weights: { keywords: 5 },
        titleWeight: 1,
      });
      expect((await titlesOf(siteIndexes(), 'lighthouses', byKeywords))[0]).toBe('second');
    });

    it.each<Tokenizer>([...tokenizers])('ignores titles of weight 0 with %s', async (tokenizer) => {
      const documents = [{ title: 'lighthouses', body: 'by the sea' }];
      const index = await indexOf(siteIndexes(), documents, { tokenizer, titleWeight: 0 });
      expect(await titlesOf(siteIndexes(), 'lighthouses', index)).toEqual([]);
      expect(await titlesOf(siteIndexes(), '"lighthouses"', index)).toEqual([]);
      expect(await titlesOf(siteIndexes(), 'sea', index)).toEqual(['lighthouses']);
      expect(await suggested(siteIndexes(), 'light', index)).toEqual(['lighthouses']);
    });

    it('is a number above 0 and at most 1 for any number of matches', async () => {
      const index = await indexOf(siteIndexes(), [
        { title: 'echo '.repeat(90), body: 'echo chamber '.repeat(900) },
      ]);
      for (const text of ['echo', 'echo chamber', '"echo chamber"', 'echo xyzzy']) {
        const { hits } = await searchIndexes(siteIndexes(), text, { indexes: [index], limit: 1 });
        expect(hits[0]?.score).toBeGreaterThan(0);
        expect(hits[0]?.score).toBeLessThanOrEqual(1);
      }
    });

    it.each<[string, string[]]>([
      ['red green blue', ['two', 'green', 'one']],
      ['green lilac', ['green', 'two']],
      ['amber lime', ['lime', 'one']],
    ])(
      'of documents none of which has all of %s is by how many words, then by place',
      async (text, titles) => {
        const index = await indexOf(siteIndexes(), [
          { title: 'one', body: 'red and amber' },
          { title: 'two', body: 'red green' },
          { title: 'green', body: 'x' },
          { title: 'lime', body: 'x' },
        ]);
        expect(await titlesOf(siteIndexes(), text, index)).toEqual(titles);
      },
    );

    it('is greater for adjacent words', async () => {
      const between = 'and then a long while nothing of interest happened to anybody at all ';
      const index = await indexOf(siteIndexes(), [
        { title: 'far', body: `solar ${between.repeat(3)} power` },
        { title: 'near', body: `a plant of solar power ${between.repeat(3)}` },
      ]);
      expect(await titlesOf(siteIndexes(), 'solar power', index)).toEqual(['near', 'far']);
    });
  });

  describe('of real exports', () => {
    let blocks: SearchIndex;
    let mixed: SearchIndex;
    let japanese: SearchIndex;
    let products: SearchIndex;
    beforeAll(async () => {
      blocks = await indexOf(siteIndexes(), entriesOf('blocks-wp64.xml', /post|page/));
      mixed = await indexOf(siteIndexes(), entriesOf('mixed-blocks.xml', /^(post|page)$/));
      japanese = await indexOf(siteIndexes(), entriesOf('ja-classic.xml', /^(post|page)$/), {
        tokenizer: 'trigram',
      });
      products = await indexOf(siteIndexes(), entriesOf('products.xml', /^product$/), {
        tokenizer: 'unicode61',
      });
    });

    it.each([
      ['gallery', 'Gallery'],
      ['galleries', 'Gallery'],
      ['page break', 'Page break'],
      ['test data', 'How to use the test data'],
      ['latest comments', 'Latest Comments'],
      ['"author biography"', 'Author Biography'],
      ['shortcod', 'Shortcode'],
      ['tags cloud', 'Tag cloud'],
    ])('(English) %s finds %s first', async (text, first) => {
      expect((await titlesOf(siteIndexes(), text, blocks))[0]).toBe(first);
    });

    it.each([
      ['nested mutation', 'Nested mutations are a must have'],
      ['cached http', 'HTTP caching improves performance'],
      ['privacy', 'Privacy Policy'],
      ['hello', 'Hello world!'],
      ['rest or graphql', 'GraphQL or REST? Why not both?'],
      ['custom schemas clients', 'Customize the schema for each client'],
    ])('(English, of mixed markup) %s finds %s first', async (text, first) => {
      expect((await titlesOf(siteIndexes(), text, mixed))[0]).toBe(first);
    });

    it.each([
      ['ギャラリー', '投稿フォーマット: ギャラリー'],
      ['トラックバック', 'テンプレート: ピンバックとトラックバック'],
      ['パスワード', 'テンプレート: パスワードで保護されたページ'],
      ['このサイト', 'このサイトについて'],
      ['たくさんのタグ', '極端な例: たくさんのタグ'],
      ['ｵｰﾃﾞｨｵ', '投稿フォーマット: オーディオ'],
      ['画像の配置 マークアップ', 'マークアップ: 画像の配置'],
      ['volcano', 'Pneumonoultramicroscopicsilicovolcanoconiosis'],
    ])('(Japanese) %s finds %s first', async (text, first) => {
      expect((await titlesOf(siteIndexes(), text, japanese))[0]).toBe(first);
    });

    it.each([
      ['sunglasses', 'Sunglasses'],
      ['hoodie zipper', 'Hoodie with Zipper'],
      ['logo beanie', 'Beanie with Logo'],
      ['v-neck', 'V-Neck T-Shirt'],
      ['penna', 'WordPress Pennant'],
    ])('(a shop) %s finds %s first', async (text, first) => {
      expect((await titlesOf(siteIndexes(), text, products))[0]).toBe(first);
    });
  });

  describe('of texts in further languages', () => {
    const texts: Given[] = [
      { title: 'Receita de pão de açúcar', body: 'Misture a farinha, o coração da receita, e espere.' },
      { title: 'São João no verão', body: 'A celebração reúne famílias em torno da fogueira e do pão.' },
      { title: 'Ações e fundações', body: 'As fundações públicas têm regras próprias de gestão.' },
      { title: 'Über die Grüße', body: 'Wie man in Österreich grüßt, je nach Tageszeit.' },
      { title: 'Les élèves à l’école', body: 'Où les élèves apprennent-ils à écrire ?' },
      { title: 'Зимний сад', body: 'Ёлки, снег и тёплый чай в саду.' },
      { title: 'Ο κήπος', body: 'Ο Οδυσσέας φυτεύει ελιές στον κήπο.' },
    ];
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(siteIndexes(), texts, { tokenizer: 'unicode61' });
    });
    it.each([
      ['pao', 'Receita de pão de açúcar'],
      ['são joão', 'São João no verão'],
      ['celebracao', 'São João no verão'],
      ['FUNDACOES', 'Ações e fundações'],
      ['grusse', 'Über die Grüße'],
      ['osterreich', 'Über die Grüße'],
      ['eleves ecole', 'Les élèves à l’école'],
      ['елки', 'Зимний сад'],
      ['ΟΔΥΣΣΕΑΣ', 'Ο κήπος'],
    ])('%s finds %s first', async (text, first) => {
      expect((await titlesOf(siteIndexes(), text, index))[0]).toBe(first);
    });
  });
}
