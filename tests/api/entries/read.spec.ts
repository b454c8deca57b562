import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';

const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  await site.collection({ slug: 'notes' });
});

const create = async (data: object, more: object = {}) =>
  (await admin.post('/content/posts', { data, ...more })).data.item;
const get = (idOrSlug: string, query = '') =>
  admin.get(`/content/posts/${encodeURIComponent(idOrSlug)}${query}`);
const resolvedId = async (idOrSlug: string, query = '') =>
  (await get(idOrSlug, query)).data?.item.id as string;

describe('GET /content/{collection}/{id}', () => {
  it('returns the created entry by id and by slug', async () => {
    const created = await admin.post('/content/posts', { data: { title: 'Found' } });
    for (const address of [created.data.item.id, 'found'])
      expect((await get(address)).data).toEqual({ ...created.data, references: {} });
  });
  it('accepts an id in lower case', async () => {
    const { id } = await create({ title: 'Lower' });
    expect(await resolvedId(id.toLowerCase())).toBe(id);
  });
  it('ignores the locale for an id', async () => {
    const { id } = await create({ title: 'Any locale' });
    expect(await resolvedId(id, '?locale=de')).toBe(id);
  });
  it('resolves a slug only in the given locale', async () => {
    const english = await create({ title: 'Both' });
    const german = await create({ title: 'Both' }, { locale: 'de' });
    expect(await resolvedId('both', '?locale=de')).toBe(german.id);
    expect(await resolvedId('both', '?locale=EN')).toBe(english.id);
    expect(statusAndCode(await get('both', '?locale=fr'))).toEqual([404, 'NOT_FOUND']);
  });
  it('resolves a slug without a locale in the default locale, else in the first locale by code', async () => {
    const french = await create({ title: 'Many' }, { locale: 'fr' });
    expect(await resolvedId('many')).toBe(french.id);
    const german = await create({ title: 'Many' }, { locale: 'de' });
    expect(await resolvedId('many')).toBe(german.id);
    const english = await create({ title: 'Many' }, { locale: 'en' });
    expect(await resolvedId('many')).toBe(english.id);
    await admin.delete(`/content/posts/${english.id}`);
    expect(await resolvedId('many')).toBe(german.id);
  });
  it('resolves a slug in the form of an id after ids', async () => {
    const slug = '01HZZZZZZZZZZZZZZZZZZZZZZZ';
    const { id } = await create({ title: 'Disguised' }, { slug });
    expect(await resolvedId(slug)).toBe(id);
    const other = await create({ title: 'Real' });
    await create({ title: 'Impostor' }, { slug: other.id });
    expect(await resolvedId(other.id)).toBe(other.id);
  });
  it.each(['Ünïcode – “slug”', "it's 100% _sure_", 'a?b#c&d=e', 'a+b', '日本語', '%2e', 'a\tb'])(
    'resolves the slug %j',
    async (slug) => {
      const { id } = await create({ title: 'Odd' }, { slug });
      expect(await resolvedId(slug)).toBe(id);
    },
  );
  it('returns 404 NOT_FOUND for an unknown or trashed entry and for one of another collection, by id and slug', async () => {
    const { id } = await create({ title: 'Trashed soon' });
    await admin.delete(`/content/posts/${id}`);
    const note = (await admin.post('/content/notes', { data: { title: 'A note' } })).data.item;
    for (const address of [unknownId, 'nothing', id, 'trashed-soon', note.id, 'a-note']) {
      expect(statusAndCode(await get(address))).toEqual([404, 'NOT_FOUND']);
    }
  });
  it('returns 400 for a malformed locale', async () => {
    expect(statusAndCode(await get('x', '?locale=!'))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('returns the staged values as data and the live values as liveData', async () => {
    const { id } = await create({ title: 'Live', body: 'text' });
    await admin.post(`/content/posts/${id}/publish`);
    const published = (await get(id)).data.item;
    expect(published).not.toHaveProperty('liveData');
    await admin.put(`/content/posts/${id}`, { data: { title: 'Draft' } });
    const { item } = (await get(id)).data;
    expect(item).toMatchObject({
      status: 'published',
      data: { title: 'Draft', body: 'text' },
      liveData: { title: 'Live', body: 'text' },
    });
    expect(item.draftRevisionId).not.toBeNull();
    expect(item.updatedAt).toBe(published.updatedAt);
  });
  it('returns a new _rev after each write and the same one between writes', async () => {
    const { item, _rev } = (await admin.post('/content/posts', { data: { title: 'Rev' } })).data;
    expect((await get(item.id)).data._rev).toBe(_rev);
    const staged = (await admin.put(`/content/posts/${item.id}`, { data: { body: 'x' } })).data._rev;
    expect(staged).not.toBe(_rev);
    expect((await get(item.id)).data._rev).toBe(staged);
    expect((await admin.post(`/content/posts/${item.id}/publish`)).data._rev).not.toBe(staged);
  });
  it.each(['%00', 'a%00b'])('returns 400 or 404 for an id with U+0000: %s', async (id) => {
    for (const path of [
      `/content/posts/${id}`,
      `/content/posts/${id}/translations`,
      `/content/posts/${id}/compare`,
    ]) {
      expect([400, 404]).toContain((await admin.get(path)).status);
    }
  });
});

describe('requests for an unknown collection', () => {
  const address = `/content/nothing/${unknownId}`;
  it.each([
    ['GET', '/content/nothing'],
    ['POST', '/content/nothing'],
    ['GET', '/content/nothing/authors'],
    ['GET', '/content/nothing/trash'],
    ['GET', address],
    ['PUT', address],
    ['DELETE', address],
    ['POST', `${address}/publish`],
    ['POST', `${address}/unpublish`],
    ['POST', `${address}/schedule`],
    ['DELETE', `${address}/schedule`],
    ['POST', `${address}/duplicate`],
    ['POST', `${address}/restore`],
    ['DELETE', `${address}/permanent`],
    ['GET', `${address}/compare`],
    ['POST', `${address}/discard-draft`],
    ['GET', `${address}/translations`],
    ['GET', `${address}/revisions`],
  ])('return 404 COLLECTION_NOT_FOUND for %s %s', async (method, path) => {
    const bodies: Record<string, object> = {
      PUT: { data: {} },
      POST: { data: {}, scheduledAt: '2099-01-01T00:00:00Z' },
    };
    const responses = {
      GET: () => admin.get(path),
      POST: () => admin.post(path, bodies['POST']),
      PUT: () => admin.put(path, bodies['PUT']),
      DELETE: () => admin.delete(path),
    };
    expect(statusAndCode(await responses[method as keyof typeof responses]())).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
  });
  it.each(['%00', 'a%00', '%F0%9F%8E%89', 'Posts', 'posts%20', "posts'--", '__proto__', 'constructor'])(
    'return 400 or 404 for the collection %s',
    async (name) => {
      expect([400, 404]).toContain((await admin.get(`/content/${name}`)).status);
      expect([400, 404]).toContain((await admin.post(`/content/${name}`, { data: {} })).status);
    },
  );
});
