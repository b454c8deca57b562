import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, statusAndCode, useSite, walkPages, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;
let userId: string;
const ids: string[] = [];

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  userId = (await createEntry(editor)).item.authorId;
  for (let index = 0; index < 9; index += 1) {
    const { id } = (
      await editor.post('/admin/bylines', {
        slug: `writer-${index}`,
        displayName: `${index === 4 ? 'Dr. %_ÄÖ' : 'Name'} ${index}`,
        isGuest: index % 2 === 0,
        ...(index === 3 ? { userId } : {}),
        ...(index >= 7 ? { locale: 'de' } : {}),
      })
    ).data;
    ids.unshift(id);
  }
});

const found = async (query: string) =>
  (await walkPages<{ slug: string }>(editor, `/admin/bylines${query}`)).map(({ slug }) =>
    Number(slug.slice(7)),
  );

describe('GET /admin/bylines', () => {
  it('returns each byline once, newest first, for any page size', async () => {
    for (const limit of [1, 4, 9, 100])
      expect((await walkPages(editor, `/admin/bylines?limit=${limit}`)).map(({ id }) => id)).toEqual(ids);
    expect((await editor.get('/admin/bylines?limit=9')).data).not.toHaveProperty('nextCursor');
  });
  it.each<[string, number[]]>([
    ['?isGuest=true', [8, 6, 4, 2, 0]],
    ['?isGuest=false', [7, 5, 3, 1]],
    ['?locale=de', [8, 7]],
    ['?locale=de&isGuest=true', [8]],
    ['?locale=fr', []],
    ['?userId=nobody', []],
    ['?search=WRITER-4', [4]],
    ['?search=dr.%20%25_%C3%A4', [4]],
    ['?search=%25', [4]],
    ['?search=name', [8, 7, 6, 5, 3, 2, 1, 0]],
    ['?search=', [8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ['?search=nobody', []],
  ])('%s returns %j', async (query, expected) => {
    expect(await found(`${query}&limit=3`)).toEqual(expected);
  });
  it('filters by the linked user', async () => {
    expect(await found(`?userId=${userId}`)).toEqual([3]);
  });
  it.each(['isGuest=1', 'isGuest=', 'limit=0', 'limit=101', 'locale=x', `search=${'a'.repeat(201)}`])(
    'returns 400 for %s',
    async (query) => {
      expect(statusAndCode(await editor.get(`/admin/bylines?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
  it('returns 400 INVALID_CURSOR for a cursor of other filters, of another list, and a forged one', async () => {
    const { nextCursor } = (await editor.get('/admin/bylines?limit=2')).data;
    const values = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[];
    const forged = Buffer.from(JSON.stringify([values[0], 'never', values[2]])).toString('base64url');
    const paths = [
      `/admin/bylines?isGuest=true&cursor=${nextCursor}`,
      `/content/posts?cursor=${nextCursor}`,
      `/admin/bylines?cursor=${forged}`,
      '/admin/bylines?cursor=x',
    ];
    for (const path of paths) expect(statusAndCode(await editor.get(path))).toEqual([400, 'INVALID_CURSOR']);
  });
});
