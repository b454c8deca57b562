import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, walkPages, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

interface SectionItem {
  id: string;
  slug: string;
  title: string;
}

beforeAll(async () => {
  admin = await site.as('admin');
  // Each title occurs three times, so that pages break inside ties.
  for (let index = 0; index < 12; index += 1)
    await admin.post('/sections', {
      slug: `s-${index}`,
      title: `Title ${index % 4}`,
      content: [],
      source: index % 2 === 0 ? 'user' : 'import',
      description: index === 3 ? 'Über 100% of it' : null,
      keywords: index === 5 ? ['footer_links', 'cta'] : [],
    });
  await site.sql("UPDATE sections SET source = 'theme' WHERE slug = 's-0'");
});

const slugs = async (query: string) =>
  (await walkPages<SectionItem>(admin, `/sections?${query}`)).map(({ slug }) => slug);

describe('GET /sections', () => {
  it('returns whole sections sorted by title and id, without a cursor on the last page', async () => {
    const { items, ...page } = (await admin.get('/sections')).data;
    const keys = items.map(({ title, id }: SectionItem) => `${title} ${id}`);
    expect(keys).toEqual([...keys].sort());
    expect(page).toEqual({});
    expect(items[0]).toEqual((await admin.get(`/sections/${items[0].slug}`)).data);
  });
  it.each([1, 2, 5, 11, 12])('returns each section once and in order in pages of %i', async (limit) => {
    expect(await slugs(`limit=${limit}`)).toEqual(await slugs('limit=100'));
    expect(await slugs(`limit=${limit}`)).toHaveLength(12);
  });
  it('paginates over titles of the maximum length', async () => {
    const other = await openSite();
    const client = await other.as('admin');
    for (const [index, end] of ['1', '2', '2', '3'].entries()) {
      const title = '漢'.repeat(499) + end;
      expect((await client.post('/sections', { slug: `s-${index}`, title, content: [] })).status).toBe(201);
    }
    const listed = await walkPages<SectionItem>(client, '/sections?limit=1');
    expect(listed.map(({ slug }) => slug)).toEqual(['s-0', 's-1', 's-2', 's-3']);
    await other.close();
  });
  it.each([
    ['theme', ['s-0']],
    ['import', ['s-1', 's-11', 's-3', 's-5', 's-7', 's-9']],
  ])('filters by source=%s', async (source, expected) => {
    expect((await slugs(`source=${source}&limit=2`)).sort()).toEqual(expected);
  });
  it.each([
    ['the title, ignoring case', 'tITLE 3', ['s-11', 's-3', 's-7']],
    ['the description', 'über', ['s-3']],
    ['a keyword', 'CTA', ['s-5']],
    ['a part of a keyword', 'links', ['s-5']],
    ['a per cent sign literally', '0%', ['s-3']],
    ['an underscore literally', 'r_l', ['s-5']],
    ['a backslash literally', '\\', []],
    ['no section by its slug', 's-1', []],
  ])('finds %s', async (_name, search, expected) => {
    expect((await slugs(`search=${encodeURIComponent(search)}&limit=2`)).sort()).toEqual(expected);
  });
  it('ignores an empty search and combines search with source', async () => {
    expect(await slugs('search=')).toHaveLength(12);
    expect((await slugs('search=title%203&source=import')).sort()).toEqual(['s-11', 's-3', 's-7']);
    expect(await slugs('search=title%203&source=user')).toEqual([]);
  });
  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['source', 'source=seed'],
    ['search', `search=${'x'.repeat(201)}`],
    ['search', 'search=%00'],
    ['cursor', `cursor=${'x'.repeat(2_049)}`],
  ])('returns 400 VALIDATION_ERROR with the path %s for %s', async (path, query) => {
    const response = await admin.get(`/sections?${query}`);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
  it('returns 400 INVALID_CURSOR for a malformed cursor and one of other filters', async () => {
    const { nextCursor } = (await admin.get('/sections?limit=1&source=import')).data;
    for (const query of ['cursor=garbage', `cursor=${nextCursor}`, `cursor=${nextCursor}&source=user`])
      expect(statusAndCode(await admin.get(`/sections?${query}`))).toEqual([400, 'INVALID_CURSOR']);
    expect((await admin.get(`/sections?source=import&cursor=${nextCursor}`)).status).toBe(200);
  });
});
