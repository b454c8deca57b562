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

const enable = (body: object) => on.admin.post('/search/enable', body);
const rebuild = (collection = 'posts') => on.admin.post('/search/rebuild', { collection });
const stats = async () => (await on.admin.get('/search/stats')).data.collections;

describe('before POST /search/enable', () => {
  it('searches are empty and POST /search/rebuild returns SEARCH_NOT_ENABLED', async () => {
    expect([await on.titles('apple'), await on.suggestions('app'), await stats()]).toEqual([[], [], {}]);
    expect(statusAndCode(await rebuild())).toEqual([400, 'SEARCH_NOT_ENABLED']);
  });
});

describe('POST /search/enable', () => {
  it('indexes published entries and returns their number', async () => {
    expect((await enable({ collection: 'posts', enabled: true })).data).toEqual({
      collection: 'posts',
      enabled: true,
      indexed: 2,
    });
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
    expect(await stats()).toEqual({ posts: { indexed: 2, lastRebuilt: expect.any(String) } });
  });

  it('with unchanged settings does not rebuild', async () => {
    const before = (await stats()).posts.lastRebuilt;
    expect((await enable({ collection: 'posts', enabled: true })).data.indexed).toBe(2);
    expect((await stats()).posts.lastRebuilt).toBe(before);
  });

  it('with another tokenizer rebuilds the index', async () => {
    expect(await on.titles('runs')).toEqual(['Running']);
    await enable({ collection: 'posts', enabled: true, tokenize: 'unicode61' });
    expect([await on.titles('"runs"'), await on.titles('running')]).toEqual([[], ['Running']]);
    await enable({ collection: 'posts', enabled: true, tokenize: 'trigram' });
    expect([await on.titles('unni'), await on.titles('un')]).toEqual([['Running'], []]);
  });

  it('keeps the stored tokenizer when the request has none, also after disabling', async () => {
    await enable({ collection: 'posts', enabled: false });
    await enable({ collection: 'posts', enabled: true });
    expect(await on.titles('unni')).toEqual(['Running']);
  });

  it('with weights changes the ranking', async () => {
    const setWeights = (weights: object) =>
      enable({ collection: 'posts', enabled: true, tokenize: 'unicode61', weights });
    await setWeights({ title: 0.5, body: 50 });
    expect(await on.titles('apple')).toEqual(['Running', 'Apple']);
    await setWeights({ title: 50, body: 0.5 });
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
    await setWeights({});
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it.each([
    [{ secret: 1 }, 'weights.secret'],
    [{ nothing: 1 }, 'weights.nothing'],
    [{ body: 0 }, 'weights.body'],
    [{ body: -1 }, 'weights.body'],
    [{ body: 101 }, 'weights.body'],
    [{ body: '1' }, 'weights.body'],
  ])('rejects the weights %j with the path of the field', async (weights, path) => {
    const response = await enable({ collection: 'posts', enabled: true, weights });
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [path]]);
  });

  it('rejects unknown tokenizers', async () => {
    const response = await enable({ collection: 'posts', enabled: true, tokenize: 'porter' });
    expect(issuePaths(response)).toEqual(['tokenize']);
  });

  it.each([true, false])(
    'returns 404 COLLECTION_NOT_FOUND for an unknown collection (enabled: %s)',
    async (enabled) => {
      for (const collection of ['nothing', 'not a slug', 'x\u0000'])
        expect((await enable({ collection, enabled })).status).toBeGreaterThanOrEqual(400);
      expect(statusAndCode(await enable({ collection: 'nothing', enabled }))).toEqual([
        404,
        'COLLECTION_NOT_FOUND',
      ]);
    },
  );

  it('returns NO_SEARCHABLE_FIELDS without a searchable text field', async () => {
    await on.site.collection({
      slug: 'figures',
      fields: [{ slug: 'amount', type: 'integer', searchable: true }],
    });
    const response = await enable({ collection: 'figures', enabled: true });
    expect(statusAndCode(response)).toEqual([400, 'NO_SEARCHABLE_FIELDS']);
  });
});

describe('POST /search/rebuild', () => {
  it('returns the number of indexed entries and updates lastRebuilt', async () => {
    const before = (await stats()).posts.lastRebuilt;
    expect((await rebuild()).data).toEqual({ collection: 'posts', indexed: 2 });
    expect((await stats()).posts.lastRebuilt > before).toBe(true);
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it('succeeds for concurrent requests', async () => {
    const responses = await Promise.all([rebuild(), rebuild(), rebuild(), rebuild()]);
    expect(responses.map(({ data }) => data)).toEqual(
      responses.map(() => ({ collection: 'posts', indexed: 2 })),
    );
    expect(await on.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it('returns 404 COLLECTION_NOT_FOUND for an unknown collection', async () => {
    expect(statusAndCode(await rebuild('nothing'))).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });

  it('returns NO_SEARCHABLE_FIELDS when no field is searchable any more', async () => {
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

describe('POST /search/enable with enabled: false', () => {
  it('removes the collection from the search at once', async () => {
    expect((await enable({ collection: 'posts', enabled: false })).data).toEqual({
      collection: 'posts',
      enabled: false,
    });
    expect([await on.titles('apple'), 'posts' in (await stats())]).toEqual([[], false]);
    expect(statusAndCode(await rebuild())).toEqual([400, 'SEARCH_NOT_ENABLED']);
  });

  it('changes nothing for a collection that was never enabled', async () => {
    expect((await enable({ collection: 'figures', enabled: false })).data.enabled).toBe(false);
  });

  it('ends in a consistent state when it races with enabling', async () => {
    await Promise.all([true, false, true, false].map((enabled) => enable({ collection: 'posts', enabled })));
    const response = await enable({ collection: 'posts', enabled: true });
    expect(response.status).toBe(200);
    await on.publish({ title: 'Latecomer' });
    await on.waitUntilFound('latecomer', ['Latecomer']);
    await on.waitUntilFound('apple', ['Apple', 'Running']);
  });
});
