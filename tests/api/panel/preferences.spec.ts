import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let author: Client;
let editor: Client;
beforeAll(async () => {
  [author, editor] = [await site.as('author'), await site.as('editor')];
});

const path = (key: string) => `/panel/preferences/${key}`;
const set = (key: string, value: unknown, client = author) => client.put(path(key), { value });
const get = async (key: string, client = author) => client.get(path(key));

describe('/panel/preferences/{key}', () => {
  it.each([[{ columns: ['title', 'ü'], deep: { a: [1, null] } }], ['text'], [0], [false], [null], [[]]])(
    'stores the JSON value %j until it is replaced or deleted',
    async (value) => {
      const stored = await set('columns:posts', value);
      expect(stored.data).toEqual({ value, updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
      expect((await get('columns:posts')).data).toEqual(stored.data);
      expect((await author.delete(path('columns:posts'))).data).toEqual({ deleted: true });
      expect(statusAndCode(await get('columns:posts'))).toEqual([404, 'NOT_FOUND']);
      expect(statusAndCode(await author.delete(path('columns:posts')))).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('keeps the preferences of each user apart, and each key', async () => {
    await set('theme', 'dark');
    await set('density', 'compact');
    await set('theme', 'light', editor);
    const values = await Promise.all([get('theme'), get('density'), get('theme', editor)]);
    expect(values.map(({ data }) => data.value)).toEqual(['dark', 'compact', 'light']);
    expect(statusAndCode(await get('density', editor))).toEqual([404, 'NOT_FOUND']);
    const other = await openSite();
    try {
      expect(statusAndCode(await get('theme', await other.as('author')))).toEqual([404, 'NOT_FOUND']);
    } finally {
      await other.close();
    }
  });

  it('limits the preferences of a user to 32 KiB together, and keeps them when one is too large', async () => {
    const user = await site.another('author', 'collector');
    expect((await set('a', 'x'.repeat(20_000), user)).status).toBe(200);
    expect(issuePaths(await set('b', 'y'.repeat(20_000), user))).toEqual(['value']);
    expect(issuePaths(await set('a', 'z'.repeat(33_000), user))).toEqual(['value']);
    expect((await get('a', user)).data.value).toBe('x'.repeat(20_000));
    expect((await set('a', 'short', user)).status).toBe(200);
    expect((await set('b', 'y'.repeat(20_000), user)).status).toBe(200);
    expect(issuePaths(await set('a', 'x'.repeat(40_000), await site.another('author', 'new')))).toEqual([
      'value',
    ]);
  });

  it('stores values of several keys at the same time', async () => {
    const user = await site.another('author', 'racer');
    const keys = Array.from({ length: 10 }, (_, n) => `key${n}`);
    await Promise.all(keys.map((key) => set(key, key, user)));
    expect(await Promise.all(keys.map(async (key) => (await get(key, user)).data.value))).toEqual(keys);
  });

  it('rejects keys and bodies of another form', async () => {
    expect(issuePaths(await set('Upper', 1))).toEqual(['key']);
    expect(issuePaths(await set('a'.repeat(101), 1))).toEqual(['key']);
    expect(issuePaths(await author.put(path('a'), {}))).toEqual(['value']);
    for (const text of ['with \u0000', '\ud800'])
      for (const value of [text, { deep: [text] }, { [text]: 1 }])
        expect(issuePaths(await set('a', value))).toEqual(['value']);
    expect((await set('a', '\\u0000 as text')).data.value).toBe('\\u0000 as text');
    expect(statusAndCode(await author.put(path('a'), { value: 1, more: 2 }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('needs a user, and for tokens the scope admin', async () => {
    expect((await set('a', 1, await site.signedIn('subscriber'))).status).toBe(200);
    const outcome = async (client: Client) => statusAndCode(await get('a', client));
    expect(await outcome(await site.withScopes('admin', ['content:read']))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await outcome(site.anonymous())).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});
