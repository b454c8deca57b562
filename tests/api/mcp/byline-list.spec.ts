import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, createEntry, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;
let userId: string;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  userId = (await createEntry(editor)).item.authorId;
  const bylines = [
    { slug: 'anna', displayName: 'Anna Ärmel', userId },
    { slug: 'ben', displayName: 'Ben 100% Real', isGuest: true },
    { slug: 'carl', displayName: 'Carl_Anders' },
    { slug: 'dora', displayName: 'Dora', locale: 'de', isGuest: true },
    { slug: 'emil', displayName: 'Emil' },
  ];
  for (const byline of bylines) await callTool(editor, 'byline_create', byline);
});

const list = (args: object = {}) => callTool(editor, 'byline_list', args);
const slugsOf = (data: { items: { slug: string }[] }) => data.items.map(({ slug }) => slug);
const found = async (args: object) => slugsOf((await list(args)).data);

describe('byline_list', () => {
  it('returns {items} newest first, without nextCursor on the last page', async () => {
    const { data } = await list();
    expect(slugsOf(data)).toEqual(['emil', 'dora', 'carl', 'ben', 'anna']);
    expect(data).not.toHaveProperty('nextCursor');
  });

  it('returns every byline once over pages', async () => {
    const slugs: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      slugs.push(...slugsOf(data));
      cursor = data.nextCursor;
    } while (cursor !== undefined && slugs.length < 20);
    expect(slugs).toEqual(['emil', 'dora', 'carl', 'ben', 'anna']);
  });

  it.each<[object, string[]]>([
    [{ search: 'AN' }, ['carl', 'anna']],
    [{ search: 'ärMEL' }, ['anna']],
    [{ search: 'ora' }, ['dora']],
    [{ search: '%' }, ['ben']],
    [{ search: '_' }, ['carl']],
    [{ search: 'nothing' }, []],
    [{ isGuest: true }, ['dora', 'ben']],
    [{ isGuest: false }, ['emil', 'carl', 'anna']],
    [{ locale: 'de' }, ['dora']],
    [{ locale: 'fr' }, []],
    [{ isGuest: true, locale: 'en' }, ['ben']],
    [{ userId: 'unknown' }, []],
  ])('filters by %j', async (filter, slugs) => {
    expect(await found(filter)).toEqual(slugs);
  });

  it('filters by userId', async () => {
    expect(await found({ userId })).toEqual(['anna']);
  });

  it.each<[string, object]>([
    ['garbage', { cursor: 'garbage' }],
    ['a cursor of other filters', { isGuest: true }],
  ])('rejects %s with INVALID_CURSOR', async (_, args) => {
    const { data } = await list({ limit: 1 });
    expect((await list({ limit: 1, cursor: data.nextCursor, ...args })).code).toBe('INVALID_CURSOR');
  });

  it.each([
    { cursor: '' },
    { cursor: 'x'.repeat(2_049) },
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { limit: '10' },
    { isGuest: 'true' },
    { locale: 'no locale' },
    { search: 5 },
  ])('rejects %j with VALIDATION_ERROR', async (args) => {
    expect((await list(args)).code).toBe('VALIDATION_ERROR');
  });
});
