import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, walkPages } from '@quire/testing';
import { useSearchableSite } from './support.js';

const searchSite = useSearchableSite();
beforeAll(async () => {
  await searchSite.publish({ title: 'Running shoes', body: 'For the long run' });
  await searchSite.publish({ title: 'Slow cooking', body: 'A stew that runs for hours', secret: 'nutmeg' });
  await searchSite.publish({ title: 'Café guide', body: 'Coffee in town & <b>beyond</b>' });
  await searchSite.publish({ title: 'Guía de cafés', body: 'Café para todos' }, { locale: 'es' });
  for (let index = 0; index < 7; index += 1)
    await searchSite.publish({ title: `Numbered ${index}`, body: 'pagination' });
  await searchSite.waitUntilFound(
    'pagination',
    Array.from({ length: 7 }, (_, index) => `Numbered ${index}`),
  );
});

describe('GET /search', () => {
  it('returns collection, id, slug, locale, title, highlighted snippet and descending score', async () => {
    const { data } = await searchSite.search('stew');
    expect(data).toEqual({
      items: [
        {
          collection: 'posts',
          id: expect.any(String),
          slug: 'slow-cooking',
          locale: 'en',
          title: 'Slow cooking',
          snippet: expect.stringContaining('<mark>stew</mark>'),
          score: expect.any(Number),
        },
      ],
    });
    const scores = (await searchSite.search('run')).data.items.map(({ score }: { score: number }) => score);
    expect([scores.length, scores]).toEqual([2, [...scores].sort((one, other) => other - one)]);
  });

  it('ranks title matches first and stems English words', async () => {
    expect(await searchSite.titles('run')).toEqual(['Running shoes', 'Slow cooking']);
  });

  it('matches all words in any field, ignoring case and accents', async () => {
    expect(await searchSite.titles('SLOW hours')).toEqual(['Slow cooking']);
    expect((await searchSite.titles('cafe')).sort()).toEqual(['Café guide', 'Guía de cafés']);
  });

  it('matches quoted words as a phrase', async () => {
    expect(await searchSite.titles('"long run"')).toEqual(['Running shoes']);
    expect(await searchSite.titles('"run long"')).not.toContain('Running shoes');
  });

  it('matches the last word as a prefix', async () => {
    expect(await searchSite.titles('cook')).toEqual(['Slow cooking']);
    expect(await searchSite.titles('slow cooki')).toEqual(['Slow cooking']);
  });

  it('filters by locale', async () => {
    for (const locale of ['es', 'ES'])
      expect(await searchSite.titles('cafe', { locale })).toEqual(['Guía de cafés']);
    expect(await searchSite.titles('cafe', { locale: 'de' })).toEqual([]);
  });

  it('filters by collections and ignores unknown names', async () => {
    expect(await searchSite.titles('stew', { collections: 'posts,nothing' })).toEqual(['Slow cooking']);
    expect(await searchSite.titles('stew', { collections: 'nothing, not a slug' })).toEqual([]);
  });

  it('does not search fields that are not searchable', async () => {
    expect(await searchSite.titles('nutmeg')).toEqual([]);
  });

  it('escapes markup in snippets', async () => {
    const { snippet } = (await searchSite.search('beyond')).data.items[0] as { snippet: string };
    expect(snippet.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
    expect(snippet).toContain('<mark>beyond</mark>');
  });
});

describe('pages of GET /search', () => {
  it('contain every hit once', async () => {
    const items = await walkPages<{ title: string }>(searchSite.admin, '/search?q=pagination&limit=3');
    expect(items.map(({ title }) => title).sort()).toEqual(
      Array.from({ length: 7 }, (_, index) => `Numbered ${index}`),
    );
  });

  it('return 400 INVALID_CURSOR for a cursor of another search', async () => {
    const { nextCursor } = (await searchSite.search('pagination', { limit: '3' })).data;
    for (const query of ['q=numbered', 'q=pagination&locale=en', 'q=pagination&collections=posts'])
      expect(statusAndCode(await searchSite.admin.get(`/search?${query}&cursor=${nextCursor}`))).toEqual([
        400,
        'INVALID_CURSOR',
      ]);
    for (const cursor of ['x', 'WyJhIiwxLCIiXQ', 'x'.repeat(2_000)])
      expect(statusAndCode(await searchSite.search('pagination', { cursor }))).toEqual([
        400,
        'INVALID_CURSOR',
      ]);
  });

  it.each(['0', '101', 'x', '1.5'])('return 400 VALIDATION_ERROR for limit=%s', async (limit) => {
    expect(issuePaths(await searchSite.search('pagination', { limit }))).toEqual(['limit']);
  });
});

describe('GET /search/suggest', () => {
  it('returns titles that begin with the text, sorted by title', async () => {
    expect(await searchSite.suggestions('numb', { limit: '3' })).toEqual([
      'Numbered 0',
      'Numbered 1',
      'Numbered 2',
    ]);
    expect(await searchSite.suggestions('CAFE')).toEqual(['Café guide']);
    expect(await searchSite.suggestions('guide')).toEqual([]);
  });

  it('returns collection, id, slug and title, 5 by default', async () => {
    const { data } = await searchSite.admin.get('/search/suggest?q=numbered');
    expect(data.items).toHaveLength(5);
    expect(data.items[0]).toEqual({
      collection: 'posts',
      id: expect.any(String),
      slug: 'numbered-0',
      title: 'Numbered 0',
    });
  });

  it('filters by locale and collections', async () => {
    for (const locale of ['es', 'ES'])
      expect(await searchSite.suggestions('gu', { locale })).toEqual(['Guía de cafés']);
    expect(await searchSite.suggestions('gu', { locale: 'de' })).toEqual([]);
    expect(await searchSite.suggestions('gu', { collections: 'nothing' })).toEqual([]);
  });

  it.each(['0', '21'])('returns 400 VALIDATION_ERROR for limit=%s', async (limit) => {
    expect(issuePaths(await searchSite.admin.get(`/search/suggest?q=a&limit=${limit}`))).toEqual(['limit']);
  });
});

describe('query text of GET /search', () => {
  it('is required', async () => {
    for (const path of ['/search', '/search?q=', '/search/suggest', '/search/suggest?q='])
      expect(issuePaths(await searchSite.admin.get(path))).toEqual(['q']);
  });

  it.each([
    ['blanks', '   '],
    ['operators', 'AND OR NOT NEAR + - * ~ ^ : ( ) & | ! <->'],
    ['quotes', '"\'"""'],
    ['an open quote', '"stew'],
    ['wildcards', '%_*?'],
    ['SQL', "'; DROP TABLE content_posts; --"],
    ['a filter', 'locale = "en" OR id EXISTS'],
    ['zeros', 'a\u0000b'],
    ['emoji', '👩‍👩‍👧 🚀'],
    ['right-to-left text', 'שלום عليكم \u202e'],
    ['combining marks', 'Cafe\u0301'],
    ['parts of a grapheme', '\ufe0f\u200d'],
  ])('may be %s', async (_, text) => {
    expect((await searchSite.search(text)).status).toBe(200);
    expect((await searchSite.admin.get(`/search/suggest?q=${encodeURIComponent(text)}`)).status).toBe(200);
  });

  it('may be invalid UTF-8', async () => {
    for (const text of ['%ED%A0%80', '%FF%FE', '%C3'])
      expect((await searchSite.admin.get(`/search?q=stew${text}`)).status).toBeLessThan(500);
  });

  it('may be longer than the query limit', async () => {
    expect(await searchSite.titles('stew '.repeat(1_500))).toEqual(['Slow cooking']);
    expect(await searchSite.titles('stew '.repeat(20_000))).toEqual(['Slow cooking']);
    // Exceeds the maximum size of the request head.
    expect(statusAndCode(await searchSite.admin.get(`/search?q=${'x'.repeat(300_000)}`))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
  });

  it('finds composed and decomposed letters alike', async () => {
    expect(await searchSite.titles('Cafe\u0301 guide')).toEqual(['Café guide']);
  });

  it('cannot be combined with a locale that contains a NUL character', async () => {
    expect(issuePaths(await searchSite.admin.get('/search?q=a&locale=a%00'))).toEqual(['locale']);
  });
});

describe('GET /search on a site with more than 100 searchable collections', () => {
  it('requires the parameter collections and searches only those', async () => {
    await searchSite.site.sql(`
      INSERT INTO search_collections (collection_id, slug, enabled, tokenizer, weights, live_generation)
      SELECT 'many' || n, 'many_' || n, true, 'unicode61', '{}', 1 FROM generate_series(1, 100) n`);
    await searchSite.site.sql(`
      INSERT INTO search_generations (collection_id, generation, tokenizer, weights, fingerprint)
      SELECT 'many' || n, 1, 'unicode61', '{}', 'none' FROM generate_series(1, 100) n`);
    for (const path of ['/search?q=cafe', '/search/suggest?q=cafe']) {
      const response = await searchSite.admin.get(path);
      expect([statusAndCode(response), issuePaths(response)]).toEqual([
        [400, 'VALIDATION_ERROR'],
        ['collections'],
      ]);
    }
    expect(await searchSite.titles('cafe', { collections: 'posts', locale: 'es' })).toEqual([
      'Guía de cafés',
    ]);
    await searchSite.site.sql("DELETE FROM search_collections WHERE collection_id LIKE 'many%'");
  });
});
