import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SiteIndexes } from '../port/search-engine.js';
import { searchLimits, tokenizers, type SearchIndex, type Tokenizer } from '../port/search-index.js';
import { searchIndexes, indexOf, newDocument, newIndex, snippetFor, titlesOf } from './fixtures.js';

/** Unusual texts, as queries and as documents. */
const oddTexts: [string, string][] = [
  ['operators', 'NOT AND OR NEAR(a b) a -b +c ^d ~e a:b title:x | & ! <-> ( ) [ ] { }'],
  ['only operators', '& | ! ( ) <-> : * -'],
  ['quotes', `' '' " "" \\ \\\\ \\' \\" \` $$ $1`],
  ['wildcards', '* % _ ? .* a* *a %a% ['],
  ['statements', `'; DROP TABLE entries; --`],
  ['white space', ' \t\r\n\u00a0\u3000\u2028 '],
  ['controls', 'a\0b\u0001c\u001bd\u007fe\u0085f'],
  ['halves of surrogate pairs', '\ud800 a\udfff \udc00\ud800 b\ud83d'],
  ['many words', 'word '.repeat(20_000)],
  ['one long word', 'w'.repeat(100_000)],
  ['one long word of long characters', '𠮷'.repeat(50_000)],
  ['many marks', `a${'\u0301'.repeat(5_000)}`],
  ['many quotation marks', '"'.repeat(10_001)],
  ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ☃️ 🇨🇭'],
  ['marks of direction', '\u202eabc\u202c \u2066شيء\u2069 \u200f\u200e'],
  ['a byte order mark', '\ufeff\ufffe\uffff'],
  ['markup', '<script>alert(1)</script> &lt;b&gt; <mark>x</mark>'],
  ['words of programs', 'undefined null NaN __proto__ constructor toString'],
  ['digits', '0 00 1e999 ٣ ③ ½ 二'],
  ['jamo', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
];

/** Every text is accepted, and shown without its unusable characters. */
export function textConformance(siteIndexes: () => SiteIndexes): void {
  describe.each<Tokenizer>([...tokenizers])('with %s', (tokenizer) => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await indexOf(siteIndexes(), [{ title: 'ordinary', body: 'An ordinary text' }], { tokenizer });
    });

    it.each(oddTexts)('a query of %s succeeds', async (_name, text) => {
      for (const query of [text, `"${text}"`, `ordinary ${text}`]) {
        const { hits } = await searchIndexes(siteIndexes(), query, { indexes: [index] });
        for (const { snippet } of hits) expect(snippet).toMatch(/<mark>/);
        expect(Array.isArray(await siteIndexes().suggest({ text: query, indexes: [index], limit: 5 }))).toBe(
          true,
        );
      }
    });

    it('documents of such texts are stored, and the others are found', async () => {
      const own = newIndex(tokenizer);
      await siteIndexes().create(own);
      const odd = oddTexts.map(([name, text]) => newDocument({ title: name, body: text }));
      await siteIndexes().put(own, odd);
      await siteIndexes().put(own, [
        newDocument({ title: oddTexts.map(([, text]) => text.slice(0, 99)).join() }),
      ]);
      await siteIndexes().put(own, [newDocument({ title: 'kept', body: 'sensible words' })]);
      await siteIndexes().settle(own);
      expect(await siteIndexes().count(own, 'published')).toBe(odd.length + 2);
      expect(await titlesOf(siteIndexes(), 'sensible', own)).toEqual(['kept']);
    });
  });

  describe('Unicode forms of a text', () => {
    it.each<Tokenizer>([...tokenizers])('are equal with %s', async (tokenizer) => {
      const text = 'Ñandú 한국어사전 ガギグゲゴ Ｗｉｄｅ Việt';
      const forms = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => text.normalize(form));
      const index = await indexOf(
        siteIndexes(),
        forms.map((body, place) => ({ title: `form ${place}`, body })),
        { tokenizer },
      );
      for (const form of forms)
        for (const word of form.split(' '))
          expect((await searchIndexes(siteIndexes(), word, { indexes: [index] })).hits).toHaveLength(
            forms.length,
          );
    });
  });

  describe('limits of a document', () => {
    it.each<[Tokenizer, number]>([
      ['unicode61', searchLimits.documentCharacters],
      ['trigram', searchLimits.trigramDocumentCharacters],
    ])('truncate only its long text, with any weights (%s)', async (tokenizer, room) => {
      const filler = 'fill '.repeat(room / 5);
      const fields = { long: `${filler} beyond`, heavy: 'within', light: 'a starvedword' };
      const more = { tokenizer, weights: { heavy: 5, long: 3 } };
      const index = await indexOf(siteIndexes(), [{ title: 'titled', fields }], more);
      for (const text of ['titled', 'within', 'starvedword', '"a starvedword"', 'fill'])
        expect(await titlesOf(siteIndexes(), text, index)).toEqual(['titled']);
      expect(await titlesOf(siteIndexes(), 'beyond', index)).toEqual([]);
    });

    it('truncate a long text with trigram', async () => {
      const long = Array.from({ length: 12_000 }, (_, place) => String.fromCodePoint(0x4e00 + place));
      const index = await indexOf(siteIndexes(), [{ title: 'long', body: long.join('') }], {
        tokenizer: 'trigram',
      });
      expect(await titlesOf(siteIndexes(), long.slice(11_900, 11_910).join(''), index)).toEqual(['long']);
    });

    it('truncate a long word alike in documents and queries', async () => {
      const word = 'x'.repeat(searchLimits.wordCharacters * 3);
      const index = await indexOf(siteIndexes(), [{ title: 'long', body: word }]);
      expect(await titlesOf(siteIndexes(), word, index)).toEqual(['long']);
    });
  });

  describe('snippet', () => {
    it('marks matches as written, and is safe HTML', async () => {
      const body = `Tom & "Jerry" <b>were</b> 'running', they Run & ran`;
      const index = await indexOf(siteIndexes(), [{ title: 'cats', body }]);
      expect(await snippetFor(siteIndexes(), 'run', index)).toBe(
        'Tom &amp; &quot;Jerry&quot; &lt;b&gt;were&lt;/b&gt; &#39;<mark>running</mark>&#39;, they <mark>Run</mark> &amp; ran',
      );
      expect(await snippetFor(siteIndexes(), '"tom jerry"', index)).toMatch(
        /^<mark>Tom &amp; &quot;Jerry<\/mark>&quot;/,
      );
    });

    it('escapes text that looks like markup', async () => {
      const index = await indexOf(siteIndexes(), [
        { title: 'x', body: '<mark>not</mark> <script>alarm</script>' },
      ]);
      expect(await snippetFor(siteIndexes(), 'alarm', index)).toBe(
        '&lt;mark&gt;not&lt;/mark&gt; &lt;script&gt;<mark>alarm</mark>&lt;/script&gt;',
      );
    });

    it('marks letters with their diacritics, in any Unicode form', async () => {
      const index = await indexOf(siteIndexes(), [{ title: 'x', body: 'das Cafe\u0301 am Straßenrand' }]);
      expect(await snippetFor(siteIndexes(), 'cafe', index)).toBe(
        'das <mark>Cafe\u0301</mark> am Straßenrand',
      );
      expect(await snippetFor(siteIndexes(), 'strassenrand', index)).toBe(
        'das Cafe\u0301 am <mark>Straßenrand</mark>',
      );
    });

    it('marks the word that the last word is a prefix of', async () => {
      const index = await indexOf(siteIndexes(), [{ title: 'x', body: 'an administrator writes' }]);
      expect(await snippetFor(siteIndexes(), 'admin', index)).toBe('an <mark>administrator</mark> writes');
    });

    it('is from the part of a long text with most words', async () => {
      const far = 'nothing to see here '.repeat(60);
      const body = `whales alone ${far} blue whales sing ${far}`;
      const index = await indexOf(siteIndexes(), [{ title: 'x', body }]);
      const snippet = (await snippetFor(siteIndexes(), 'blue whales', index)) ?? '';
      expect(snippet).toMatch(/^….* <mark>blue<\/mark> <mark>whales<\/mark> sing .*…$/);
      expect(snippet.length).toBeLessThan(searchLimits.snippetCharacters + 50);
    });

    it('is from the field with more of the words, else from the heavier one, else from the title', async () => {
      const fields = { light: 'green tea and biscuits', heavy: 'biscuits' };
      const index = await indexOf(siteIndexes(), [{ title: 'Afternoon', fields }], { weights: { heavy: 3 } });
      expect(await snippetFor(siteIndexes(), 'green biscuits', index)).toContain('<mark>green</mark> tea');
      expect(await snippetFor(siteIndexes(), 'biscuits', index)).toBe('<mark>biscuits</mark>');
      expect(await snippetFor(siteIndexes(), 'afternoon', index)).toBe('<mark>Afternoon</mark>');
    });

    it('never splits a character', async () => {
      const index = await indexOf(
        siteIndexes(),
        [{ title: 'x', body: `${'𠮷'.repeat(300)}東京都庁${'𠮷'.repeat(300)}` }],
        {
          tokenizer: 'trigram',
        },
      );
      const snippet = (await snippetFor(siteIndexes(), '東京都', index)) ?? '';
      expect(snippet).toContain('<mark>東京都</mark>庁');
      expect(Buffer.from(snippet).toString()).toBe(snippet);
    });

    it('is on one line', async () => {
      const index = await indexOf(siteIndexes(), [{ title: 'x', body: 'first line\n\nsecond\tline' }]);
      expect(await snippetFor(siteIndexes(), 'second', index)).toBe('first line <mark>second</mark> line');
    });
  });
}
