import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { useSearchableSite } from '../search/support.js';

const searchSite = useSearchableSite();
const unsearchable = useSite();
let subscriber: Client;

beforeAll(async () => {
  await searchSite.publish({ title: 'Slow cooking', body: 'A stew & <b>bread</b> for hours' });
  await searchSite.publish({ title: 'Guía lenta', body: 'estofado stew' }, { locale: 'es' });
  const { admin } = searchSite;
  await admin.post('/content/posts', { data: { title: 'A draft', body: 'stew' } });
  const trashed = await searchSite.publish({ title: 'Trashed', body: 'stew' });
  await admin.delete(`/content/posts/${trashed}`);
  for (let index = 0; index < 7; index += 1)
    await searchSite.publish({ title: `Numbered ${index}`, body: 'pagination' });
  const numbered = Array.from({ length: 7 }, (_, index) => `Numbered ${index}`);
  await searchSite.waitUntilFound('pagination', numbered);
  await searchSite.waitUntilFound('stew', ['Slow cooking', 'Guía lenta']);
  subscriber = await searchSite.site.withScopes('subscriber', ['content:read']);
});

const search = (query: string, more: object = {}, client = subscriber) =>
  callTool(client, 'search', { query, ...more });
const titles = async (...args: Parameters<typeof search>): Promise<string[]> =>
  (await search(...args)).data.items.map(({ title }: { title: string }) => title);

describe('search', () => {
  it('returns hits with an escaped snippet that marks the matches', async () => {
    expect((await search('bread')).data).toEqual({
      items: [
        {
          collection: 'posts',
          id: expect.any(String),
          slug: 'slow-cooking',
          locale: 'en',
          title: 'Slow cooking',
          snippet: expect.stringContaining('<mark>bread</mark>'),
          score: expect.any(Number),
        },
      ],
    });
    const [{ snippet }] = (await search('stew', { locale: 'en' })).data.items;
    expect(snippet).toContain('&amp;');
    expect(snippet.replaceAll(/<\/?mark>/g, '')).not.toContain('<');
  });

  it('finds published entries only, for every role', async () => {
    const expected = ['Guía lenta', 'Slow cooking'];
    for (const client of [subscriber, searchSite.admin])
      expect((await titles('stew', {}, client)).sort()).toEqual(expected);
  });

  it('filters by locale and collections; unknown collections have no entries', async () => {
    expect(await titles('stew', { locale: 'es' })).toEqual(['Guía lenta']);
    expect(await titles('bread', { collections: ['posts', 'nothing'] })).toEqual(['Slow cooking']);
    expect(await titles('bread', { collections: ['nothing', 'Not a slug'] })).toEqual([]);
  });

  it('returns each hit once over all pages, and rejects the cursor of another search', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await search('pagination', { limit: 3, cursor });
      seen.push(...data.items.map(({ title }: { title: string }) => title));
      cursor = data.nextCursor;
    } while (cursor !== undefined);
    expect(seen.sort()).toEqual(Array.from({ length: 7 }, (_, index) => `Numbered ${index}`));
    const { nextCursor } = (await search('pagination', { limit: 3 })).data;
    for (const [query, more] of [
      ['stew', { cursor: nextCursor }],
      ['pagination', { cursor: nextCursor, locale: 'en' }],
      ['pagination', { cursor: 'x' }],
    ] as const)
      expect((await search(query, more)).code).toBe('INVALID_CURSOR');
  });

  it.each([0, 51, '20', 1.5])('rejects limit %j with VALIDATION_ERROR', async (limit) => {
    expect((await search('stew', { limit })).code).toBe('VALIDATION_ERROR');
  });

  it('returns 20 hits a page by default, and 50 at most', async () => {
    expect((await search('stew', { limit: 50 })).isError).toBe(false);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { result } = (await subscriber.post('/mcp', list)).body as {
      result: { tools: { name: string; inputSchema: { properties: Record<string, object> } }[] };
    };
    const { properties } = result.tools.find(({ name }) => name === 'search')?.inputSchema ?? {};
    expect(properties?.['limit']).toMatchObject({ minimum: 1, maximum: 50, default: 20 });
  });

  it.each([
    '',
    ' ',
    '"',
    '"""',
    '*',
    'ste*',
    'a & b | !c',
    'stew AND (NOT',
    "'; DROP TABLE x; --",
    'title:stew^2',
    '\u0000',
    '\\',
    'stew '.repeat(5_000),
  ])('accepts the query %j', async (query) => {
    const { isError, data } = await search(query);
    expect([isError, data]).toEqual([false, expect.objectContaining({ items: expect.any(Array) })]);
  });

  it('returns nothing for an empty query, and on a site without searchable collections', async () => {
    expect((await search('')).data).toEqual({ items: [] });
    const reader = await unsearchable.as('subscriber');
    expect((await search('stew', {}, reader)).data).toEqual({ items: [] });
    await unsearchable.collection();
    expect((await search('stew', {}, reader)).data).toEqual({ items: [] });
  });

  it('requires a query, and the scope content:read', async () => {
    expect((await callTool(subscriber, 'search', {})).code).toBe('VALIDATION_ERROR');
    const writer = await searchSite.site.withScopes('admin', ['content:write', 'media:read']);
    expect((await search('stew', {}, writer)).code).toBe('INSUFFICIENT_SCOPE');
  });
});
