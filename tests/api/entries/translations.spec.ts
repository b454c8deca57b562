import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';

const subFields = [{ slug: 'text', type: 'string' as const, label: 'Text' }];
const fields = [
  { slug: 'title', type: 'string' as const },
  { slug: 'price', type: 'number' as const, translatable: false },
  { slug: 'rows', type: 'repeater' as const, translatable: false, validation: { subFields } },
  { slug: 'status_note', type: 'string' as const, translatable: false, defaultValue: 'fresh' },
];

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'products', fields });
  await site.collection({ slug: 'goods', supports: [], fields });
});

interface Member {
  id: string;
  path: string;
  read: () => Promise<{ data: Record<string, unknown>; version: number; liveData?: Record<string, unknown> }>;
  put: (data: object) => ReturnType<Client['put']>;
  publish: () => ReturnType<Client['post']>;
}

async function member(collection: string, data: object, more: object = {}): Promise<Member> {
  const response = await admin.post(`/content/${collection}`, { data, ...more });
  expect(response.status).toBe(201);
  const path = `/content/${collection}/${response.data.item.id}`;
  return {
    id: response.data.item.id,
    path,
    read: async () => (await admin.get(path)).data.item,
    put: (values) => admin.put(path, { data: values }),
    publish: () => admin.post(`${path}/publish`),
  };
}

/** An English entry with a German and a French translation. */
async function group(collection = 'products'): Promise<[Member, Member, Member]> {
  const english = await member(collection, { title: 'Chair', price: 1, rows: [{ text: 'a' }] });
  const german = await member(collection, { title: 'Stuhl' }, { translationOf: english.id, locale: 'de' });
  const french = await member(collection, { title: 'Chaise' }, { translationOf: english.id, locale: 'fr' });
  return [english, german, french];
}

describe('an untranslatable field', () => {
  it('is copied to every translation when a change is published', async () => {
    const [english, german, french] = await group();
    await english.put({ price: 2, title: 'Armchair' });
    expect([(await german.read()).data['price'], (await french.read()).data['price']]).toEqual([1, 1]);
    const published = await english.publish();
    expect(published.data.item.data).toMatchObject({ title: 'Armchair', price: 2 });
    expect((await german.read()).data).toMatchObject({ title: 'Stuhl', price: 2 });
    expect((await french.read()).data).toMatchObject({ title: 'Chaise', price: 2 });
  });
  it('is copied at once on a collection without drafts, also when cleared', async () => {
    const [english, german] = await group('goods');
    await german.put({ price: 5, rows: [{ text: 'b' }] });
    expect((await english.read()).data).toMatchObject({ price: 5, rows: [{ text: 'b' }] });
    await english.put({ price: null });
    expect((await german.read()).data).not.toHaveProperty('price');
  });
  it('is copied to staged drafts of the translations, which keep their other changes', async () => {
    const [english, german] = await group();
    await german.publish();
    await german.put({ title: 'Sessel' });
    await english.put({ price: 3 });
    await english.publish();
    expect(await german.read()).toMatchObject({
      data: { title: 'Sessel', price: 3 },
      liveData: { title: 'Stuhl', price: 3 },
    });
  });
  it('keeps the newer value when an older draft is published', async () => {
    const [english, german] = await group();
    await german.put({ title: 'Sessel' });
    await english.put({ price: 4 });
    await english.publish();
    expect((await german.publish()).data.item.data).toMatchObject({ title: 'Sessel', price: 4 });
    expect((await english.read()).data['price']).toBe(4);
  });
  it('keeps the newer value when a live version becomes a draft', async () => {
    for (const back of ['unpublish', 'trash'] as const) {
      const [english, german] = await group();
      await german.publish();
      await english.put({ price: 6 });
      await english.publish();
      if (back === 'unpublish') await admin.post(`${german.path}/unpublish`);
      else {
        await admin.delete(german.path);
        await admin.post(`${german.path}/restore`);
      }
      expect((await german.read()).data['price']).toBe(6);
      await german.put({ title: 'Hocker' });
      await german.publish();
      expect((await english.read()).data['price']).toBe(6);
    }
  });
  it('changes the version of translations only when its value changes', async () => {
    for (const collection of ['products', 'goods']) {
      const [english, german] = await group(collection);
      const { version } = await german.read();
      await english.put({ title: 'Stool', price: 1, rows: [{ text: 'a' }] });
      await english.publish();
      expect((await german.read()).version).toBe(version);
      await english.put({ rows: [{ text: 'c' }] });
      await english.publish();
      expect((await german.read()).version).toBeGreaterThan(version);
      expect((await german.read()).data['rows']).toEqual([{ text: 'c' }]);
    }
  });
  it('stays cleared in a new translation, also with a default', async () => {
    const english = await member('products', { title: 'Bench', status_note: null });
    const german = await member('products', { title: 'Bank' }, { translationOf: english.id, locale: 'de' });
    expect((await german.read()).data).not.toHaveProperty('status_note');
    expect((await english.read()).data).not.toHaveProperty('status_note');
  });
  it('returns 409 CONFLICT for the _rev of a translation from before its change', async () => {
    const [english, german] = await group('goods');
    const { _rev } = (await admin.get(german.path)).data;
    await english.put({ price: 7 });
    expect(statusAndCode(await admin.put(german.path, { data: { title: 'x' }, _rev }))).toEqual([
      409,
      'CONFLICT',
    ]);
  });
  it.each(['products', 'goods'])(
    'has one value in the group after concurrent writes to all members: %s',
    async (collection) => {
      const members = await group(collection);
      for (let round = 0; round < 4; round += 1) {
        const responses = await Promise.all(
          Array.from({ length: 12 }, async (_, index) => {
            const one = members[index % 3] ?? members[0];
            const staged = await one.put({ price: 100 * round + index });
            return [staged, await one.publish()];
          }),
        );
        expect(responses.flat().map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200));
        const prices = await Promise.all(members.map(async (one) => (await one.read()).data['price']));
        expect(new Set(prices).size).toBe(1);
      }
    },
  );
  it('has one value in the group when creations of translations race with changes', async () => {
    const english = await member('goods', { title: 'Desk', price: 0 });
    const locales = ['de', 'fr', 'it', 'es', 'pt', 'nl', 'pl', 'sv'];
    const responses = await Promise.all([
      ...locales.map((locale) =>
        admin.post('/content/goods', { data: { title: locale }, translationOf: english.id, locale }),
      ),
      ...locales.map((_, index) => english.put({ price: index + 1 })),
    ]);
    expect(
      responses.map(({ status }) => status).filter((status) => ![200, 201, 503].includes(status)),
    ).toEqual([]);
    const { translations } = (await admin.get(`${english.path}/translations`)).data as {
      translations: { id: string }[];
    };
    const prices = await Promise.all(
      translations.map(async ({ id }) => (await admin.get(`/content/goods/${id}`)).data.item.data.price),
    );
    expect(new Set(prices).size).toBe(1);
  });
});

describe('a unique untranslatable field', () => {
  it('returns 409 CONFLICT and changes nothing when another group has the value in any locale', async () => {
    await site.collection({
      slug: 'articles',
      supports: [],
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'sku', type: 'string', unique: true, translatable: false },
      ],
    });
    await member('articles', { title: 'Only German', sku: 'S-1' }, { locale: 'de' });
    const english = await member('articles', { title: 'Both', sku: 'S-2' });
    const german = await member('articles', { title: 'Beide' }, { translationOf: english.id, locale: 'de' });
    const response = await english.put({ sku: 'S-1' });
    expect(statusAndCode(response)).toEqual([409, 'CONFLICT']);
    expect(response.error.message).toContain('sku');
    expect([(await english.read()).data['sku'], (await german.read()).data['sku']]).toEqual(['S-2', 'S-2']);
  });
});

describe('GET /content/{collection}/{id}/translations', () => {
  it('returns all entries of the group by locale, without trashed ones', async () => {
    const [english, german, french] = await group();
    await admin.delete(french.path);
    for (const one of [english, german]) {
      const { data } = await admin.get(`${one.path}/translations`);
      expect(data.translationGroup).toBe(english.id);
      expect(data.translations).toEqual([
        {
          id: german.id,
          locale: 'de',
          slug: expect.stringContaining('stuhl'),
          status: 'draft',
          updatedAt: expect.any(String),
        },
        {
          id: english.id,
          locale: 'en',
          slug: expect.stringContaining('chair'),
          status: 'draft',
          updatedAt: expect.any(String),
        },
      ]);
    }
  });
  it('returns an entry without translations alone, and 404 NOT_FOUND for a trashed or unknown one', async () => {
    const one = await member('products', { title: 'Alone' });
    expect((await admin.get('/content/products/alone/translations')).data.translations).toHaveLength(1);
    await admin.delete(one.path);
    expect(statusAndCode(await admin.get(`${one.path}/translations`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get('/content/products/none/translations'))).toEqual([404, 'NOT_FOUND']);
  });
});
