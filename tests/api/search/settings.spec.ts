import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode } from '@quire/testing';
import { useSearchableSite, waitUntilEqual } from './support.js';

const searchSite = useSearchableSite({ isEnabled: false });
beforeAll(async () => {
  await searchSite.publish({ title: 'Running', body: 'apple' });
  await searchSite.publish({ title: 'Apple', body: 'pie' });
});

const enable = (body: object) => searchSite.admin.post('/search/enable', body);
const rebuild = (collection = 'posts') => searchSite.admin.post('/search/rebuild', { collection });
const stats = async () => (await searchSite.admin.get('/search/stats')).data.collections;

describe('before POST /search/enable', () => {
  it('searches are empty and POST /search/rebuild returns SEARCH_NOT_ENABLED', async () => {
    expect([await searchSite.titles('apple'), await searchSite.suggestions('app'), await stats()]).toEqual([
      [],
      [],
      {},
    ]);
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
    expect(await searchSite.titles('apple')).toEqual(['Apple', 'Running']);
    expect(await stats()).toEqual({ posts: { indexed: 2, lastRebuilt: expect.any(String) } });
  });

  it('with unchanged settings does not rebuild', async () => {
    const before = (await stats()).posts.lastRebuilt;
    expect((await enable({ collection: 'posts', enabled: true })).data.indexed).toBe(2);
    expect((await stats()).posts.lastRebuilt).toBe(before);
  });

  it('with another tokenizer rebuilds the index', async () => {
    expect(await searchSite.titles('runs')).toEqual(['Running']);
    await enable({ collection: 'posts', enabled: true, tokenize: 'unicode61' });
    expect([await searchSite.titles('"runs"'), await searchSite.titles('running')]).toEqual([
      [],
      ['Running'],
    ]);
    await enable({ collection: 'posts', enabled: true, tokenize: 'trigram' });
    expect([await searchSite.titles('unni'), await searchSite.titles('un')]).toEqual([['Running'], []]);
  });

  it('keeps the stored tokenizer when the request has none, also after disabling', async () => {
    await enable({ collection: 'posts', enabled: false });
    await enable({ collection: 'posts', enabled: true });
    expect(await searchSite.titles('unni')).toEqual(['Running']);
  });

  it('with weights changes the ranking', async () => {
    const setWeights = (weights: object) =>
      enable({ collection: 'posts', enabled: true, tokenize: 'unicode61', weights });
    await setWeights({ title: 0.5, body: 50 });
    expect(await searchSite.titles('apple')).toEqual(['Running', 'Apple']);
    await setWeights({ title: 50, body: 0.5 });
    expect(await searchSite.titles('apple')).toEqual(['Apple', 'Running']);
    await setWeights({});
    expect(await searchSite.titles('apple')).toEqual(['Apple', 'Running']);
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
    await searchSite.site.collection({
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
    expect(await searchSite.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it('succeeds for concurrent requests', async () => {
    const responses = await Promise.all([rebuild(), rebuild(), rebuild(), rebuild()]);
    expect(responses.map(({ data }) => data)).toEqual(
      responses.map(() => ({ collection: 'posts', indexed: 2 })),
    );
    expect(await searchSite.titles('apple')).toEqual(['Apple', 'Running']);
  });

  it('returns 404 COLLECTION_NOT_FOUND for an unknown collection', async () => {
    expect(statusAndCode(await rebuild('nothing'))).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });

  it('returns NO_SEARCHABLE_FIELDS when no field is searchable any more', async () => {
    await searchSite.site.collection({
      slug: 'plain',
      fields: [{ slug: 'text', type: 'text', searchable: true }],
    });
    await searchSite.enable('plain');
    await searchSite.admin.put('/schema/collections/plain/fields/text', { searchable: false });
    expect(statusAndCode(await rebuild('plain'))).toEqual([400, 'NO_SEARCHABLE_FIELDS']);
  });

  it('indexes entries written during the rebuild', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `Written ${index}`);
    const [ids] = await Promise.all([
      Promise.all(titles.map((title) => searchSite.publish({ title }))),
      rebuild(),
      rebuild().then(() => rebuild()),
    ]);
    await searchSite.waitUntilFound('written', titles, { limit: '100' });
    await Promise.all([
      ...ids.slice(0, 6).map((id) => searchSite.admin.delete(`/content/posts/${id}`)),
      rebuild(),
    ]);
    await searchSite.waitUntilFound('written', titles.slice(6), { limit: '100' });
    await waitUntilEqual(async () => (await stats()).posts.indexed, 8);
  });
});

describe('POST /search/enable with enabled: false', () => {
  it('removes the collection from the search at once', async () => {
    expect((await enable({ collection: 'posts', enabled: false })).data).toEqual({
      collection: 'posts',
      enabled: false,
    });
    expect([await searchSite.titles('apple'), 'posts' in (await stats())]).toEqual([[], false]);
    expect(statusAndCode(await rebuild())).toEqual([400, 'SEARCH_NOT_ENABLED']);
  });

  it('changes nothing for a collection that was never enabled', async () => {
    expect((await enable({ collection: 'figures', enabled: false })).data.enabled).toBe(false);
  });

  it('ends in a consistent state when it races with enabling', async () => {
    await Promise.all([true, false, true, false].map((enabled) => enable({ collection: 'posts', enabled })));
    const response = await enable({ collection: 'posts', enabled: true });
    expect(response.status).toBe(200);
    await searchSite.publish({ title: 'Latecomer' });
    await searchSite.waitUntilFound('latecomer', ['Latecomer']);
    await searchSite.waitUntilFound('apple', ['Apple', 'Running']);
  });
});
