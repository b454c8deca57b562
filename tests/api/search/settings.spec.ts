import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode } from '@quire/testing';
import { openSearchableSite, waitUntilEqual, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
beforeAll(async () => {
  on = await openSearchableSite({ isEnabled: false });
  await on.publish({ title: 'Running', body: 'apple' });
  await on.publish({ title: 'Apple', body: 'pie' });
});
afterAll(() => on.site.close());

const set = (body: object) => on.admin.post('/search/enable', body);
const rebuild = (collection = 'posts') => on.admin.post('/search/rebuild', { collection });
const stats = async () => (await on.admin.get('/search/stats')).data.collections;

describe('before the search is enabled', () => {
  it('nothing is found and there is nothing to rebuild', async () => {
    expect([await on.titles('apple'), await on.suggestions('app'), await stats()]).toEqual([[], [], {}]);
    expect(statusAndCode(await rebuild())).toEqual([400, 'SEARCH_NOT_ENABLED']);
  });
});

describe('enabling', () => {
  it('finds what is published already, and says how much', async () => {
    expect((await set({ collection: 'posts', enabled: true })).data).toEqual({
      collection: 'posts',
      enabled: true,
      indexed: 2,
    });
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
    expect(await stats()).toEqual({ posts: { indexed: 2, lastRebuilt: expect.any(String) } });
  });

  it('with unchanged settings does not rebuild', async () => {
    const before = (await stats()).posts.lastRebuilt;
    expect((await set({ collection: 'posts', enabled: true })).data.indexed).toBe(2);
    expect((await stats()).posts.lastRebuilt).toBe(before);
  });

  it('with another tokenizer rebuilds the index', async () => {
    expect(await on.titles('runs')).toEqual(['Running']);
    await set({ collection: 'posts', enabled: true, tokenize: 'unicode61' });
    expect([await on.titles('"runs"'), await on.titles('running')]).toEqual([[], ['Running']]);
    await set({ collection: 'posts', enabled: true, tokenize: 'trigram' });
    expect([await on.titles('unni'), await on.titles('un')]).toEqual([['Running'], []]);
  });

  it('keeps the tokenizer that is stored when none is sent, over disabling too', async () => {
    await set({ collection: 'posts', enabled: false });
    await set({ collection: 'posts', enabled: true });
    expect(await on.titles('unni')).toEqual(['Running']);
  });

  it('with weights changes the ranking', async () => {
    const weigh = (weights: object) =>
      set({ collection: 'posts', enabled: true, tokenize: 'unicode61', weights });
    await weigh({ title: 0.5, body: 50 });
    expect(await on.titles('apple')).toEqual(['Running', 'Apple']);
    await weigh({ title: 50, body: 0.5 });
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
    await weigh({});
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it.each([
    [{ secret: 1 }, 'weights.secret'],
    [{ nothing: 1 }, 'weights.nothing'],
    [{ body: 0 }, 'weights.body'],
    [{ body: -1 }, 'weights.body'],
    [{ body: 101 }, 'weights.body'],
    [{ body: '1' }, 'weights.body'],
  ])('refuses the weights %j and names the field', async (weights, path) => {
    const answer = await set({ collection: 'posts', enabled: true, weights });
    expect([statusAndCode(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], [path]]);
  });

  it('refuses other tokenizers', async () => {
    const answer = await set({ collection: 'posts', enabled: true, tokenize: 'porter' });
    expect(issuePaths(answer)).toEqual(['tokenize']);
  });

  it.each([true, false])('of a collection that is not there is a 404 (enabled: %s)', async (enabled) => {
    for (const collection of ['nothing', 'not a slug', 'x\u0000'])
      expect((await set({ collection, enabled })).status).toBeGreaterThanOrEqual(400);
    expect(statusAndCode(await set({ collection: 'nothing', enabled }))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
  });

  it('needs a searchable field that has text', async () => {
    await on.site.collection({
      slug: 'figures',
      fields: [{ slug: 'amount', type: 'integer', searchable: true }],
    });
    const answer = await set({ collection: 'figures', enabled: true });
    expect(statusAndCode(answer)).toEqual([400, 'NO_SEARCHABLE_FIELDS']);
  });
});

describe('rebuilding', () => {
  it('says how much is found, and when it was', async () => {
    const before = (await stats()).posts.lastRebuilt;
    expect((await rebuild()).data).toEqual({ collection: 'posts', indexed: 2 });
    expect((await stats()).posts.lastRebuilt > before).toBe(true);
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it('succeeds for concurrent requests', async () => {
    const answers = await Promise.all([rebuild(), rebuild(), rebuild(), rebuild()]);
    expect(answers.map(({ data }) => data)).toEqual(answers.map(() => ({ collection: 'posts', indexed: 2 })));
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it('of a collection that is not there is a 404', async () => {
    expect(statusAndCode(await rebuild('nothing'))).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });

  it('is refused when no field is searchable any more', async () => {
    await on.site.collection({ slug: 'plain', fields: [{ slug: 'text', type: 'text', searchable: true }] });
    await on.enable('plain');
    await on.admin.put('/schema/collections/plain/fields/text', { searchable: false });
    expect(statusAndCode(await rebuild('plain'))).toEqual([400, 'NO_SEARCHABLE_FIELDS']);
  });

  it('indexes entries written during the rebuild', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `Written ${index}`);
    const [ids] = await Promise.all([
      Promise.all(titles.map((title) => on.publish({ title }))),
      rebuild(),
      rebuild().then(() => rebuild()),
    ]);
    await on.waitUntilFound('written', titles, { limit: '100' });
    await Promise.all([...ids.slice(0, 6).map((id) => on.admin.delete(`/content/posts/${id}`)), rebuild()]);
    await on.waitUntilFound('written', titles.slice(6), { limit: '100' });
    await waitUntilEqual(async () => (await stats()).posts.indexed, 8);
  });
});

describe('disabling', () => {
  it('takes the collection out of the search at once', async () => {
    expect((await set({ collection: 'posts', enabled: false })).data).toEqual({
      collection: 'posts',
      enabled: false,
    });
    expect([await on.titles('apple'), 'posts' in (await stats())]).toEqual([[], false]);
    expect(statusAndCode(await rebuild())).toEqual([400, 'SEARCH_NOT_ENABLED']);
  });

  it('a collection that was never enabled changes nothing', async () => {
    expect((await set({ collection: 'figures', enabled: false })).data.enabled).toBe(false);
  });

  it('at the same time as enabling ends as one of them: found, and fresh, or not at all', async () => {
    await Promise.all([true, false, true, false].map((enabled) => set({ collection: 'posts', enabled })));
    const answer = await set({ collection: 'posts', enabled: true });
    expect(answer.status).toBe(200);
    await on.publish({ title: 'Latecomer' });
    await on.waitUntilFound('latecomer', ['Latecomer']);
    await on.waitUntilFound('apple', ['Apple', 'Running']);
  });
});
