import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  createImage,
  eventuallyPasses,
  issuePaths,
  multipartForm,
  statusAndCode,
  uploadFile,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';

const site = useSite();
const other = useSite();
let admin: Client;

const card = {
  fields: [
    { slug: 'picture', label: 'Picture', type: 'image', validation: { allowedMimeTypes: ['image/png'] } },
  ],
};

beforeAll(async () => {
  admin = await site.as('admin');
  await admin.post('/schema/block-types', { slug: 'card', label: 'Card', ...card });
  await site.collection({
    fields: [
      { slug: 'title', type: 'string' },
      { slug: 'hero', type: 'image', validation: { allowedMimeTypes: ['image/png'] } },
      { slug: 'any', type: 'image' },
      { slug: 'attachment', type: 'file' },
      {
        slug: 'rows',
        type: 'repeater',
        validation: { subFields: [{ slug: 'picture', label: 'Picture', type: 'image' }] },
      },
      { slug: 'parts', type: 'blocks', validation: { allowedTypes: ['card'] } },
    ],
  });
});

// Tests reach into values freely; their expectations are the type check.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Values = Record<string, any>;
const local = (id: string, more: object = {}) => ({ provider: 'local', id, ...more });
const block = (id: string) => [{ _type: 'card', _version: 1, _key: 'a', picture: local(id) }];

/** Uploads a picture. @returns the item */
async function picture(format: 'png' | 'jpeg' = 'png', client = admin) {
  const response = await uploadFile(client, {
    bytes: await createImage({ format }),
    type: `image/${format}`,
    filename: `picture.${format}`,
  });
  return response.data.item;
}
async function pdf() {
  const response = await uploadFile(admin, {
    bytes: `%PDF-1.4 ${Math.random()}`,
    type: 'application/pdf',
    filename: 'a.pdf',
  });
  return response.data.item;
}
/** Announces an item and uploads nothing. @returns its id */
async function pending(): Promise<string> {
  const body = { filename: 'a.png', contentType: 'image/png', size: 100 };
  return (await admin.post('/media/upload-url', body)).data.mediaId;
}
async function itemOfAnotherSite(): Promise<string> {
  return (await picture('png', await other.as('admin'))).id;
}
const create = (data: object): Promise<ApiResponse> => admin.post('/content/posts', { data });

describe('an image value with an item of the media library (document 3, image; contract 7)', () => {
  it('takes its properties from the item, ignoring submitted ones', async () => {
    const { id, storageKey, url, blurhash, dominantColor } = await picture();
    const sent = local(id, { src: '/elsewhere.png', width: 1, mimeType: 'image/gif', meta: { crop: 'a' } });
    const { data } = await create({ hero: sent });
    expect(data.item.data.hero).toEqual({
      ...local(id),
      filename: 'picture.png',
      mimeType: 'image/png',
      width: 8,
      height: 6,
      blurhash,
      dominantColor,
      meta: { crop: 'a', storageKey },
      src: url,
    });
    const stored = await site.sql<{ hero: object }>('SELECT hero FROM content_posts WHERE id = $1', [
      data.item.id,
    ]);
    expect(stored[0]?.hero).not.toHaveProperty('src');
  });

  it('takes the alternative text of the item unless one is submitted', async () => {
    const { id } = await picture();
    await admin.put(`/media/${id}`, { alt: 'Of the item' });
    const alts = await Promise.all(
      [{}, { alt: 'Own' }, { alt: '' }].map(
        async (more) => (await create({ hero: local(id, more) })).data.item.data.hero.alt,
      ),
    );
    expect(alts).toEqual(['Of the item', 'Own', '']);
  });

  it('has a URL in dark variants, rows, blocks, drafts, lists, comparisons and the trash', async () => {
    const [one, two, three, four] = [await picture(), await picture(), await picture(), await picture()];
    const data = {
      title: 'a',
      hero: local(one.id, { darkVariant: local(two.id) }),
      rows: [{ picture: local(three.id) }],
      parts: block(four.id),
    };
    const sources = ({ hero, rows, parts }: Values) => [
      hero.src,
      hero.darkVariant.src,
      rows[0].picture.src,
      parts[0].picture.src,
    ];
    const expected = [one, two, three, four].map(({ url }) => url);
    const entry = await createEntry(admin, 'posts', { body: undefined, ...data });
    const published = await entry.publish();
    expect(sources(published.data.item.data)).toEqual(expected);
    await entry.put({ data: { title: 'b' } });
    const { item } = (await admin.get(entry.path)).data;
    expect([sources(item.data), sources(item.liveData)]).toEqual([expected, expected]);
    const list = (await admin.get('/content/posts?limit=100')).data.items as { id: string; data: Values }[];
    expect(sources(list.find(({ id }) => id === item.id)?.data ?? {})).toEqual(expected);
    const compared = (await admin.get(`${entry.path}/compare`)).data;
    expect([sources(compared.live), sources(compared.draft)]).toEqual([expected, expected]);
    await entry.remove();
    const trash = (await admin.get('/content/posts/trash')).data.items as { data: Values }[];
    expect(sources(trash[0]?.data ?? {})).toEqual(expected);
  });

  it('has a new URL and new dimensions after the file was replaced', async () => {
    const { id, url } = await picture();
    const { item } = (await create({ hero: local(id) })).data;
    const form = [
      { name: 'width', value: '10' },
      { name: 'height', value: '4' },
      {
        name: 'file',
        value: await createImage({ width: 10, height: 4 }),
        filename: 'a.png',
        type: 'image/png',
      },
    ];
    const replaced = await admin.put(`/media/${id}/replace`, undefined, multipartForm(form));
    expect(replaced.status).toBe(200);
    await eventuallyPasses(
      async () => (await admin.get(`/content/posts/${item.id}`)).data.item.data.hero,
      (hero) =>
        expect(hero).toMatchObject({
          src: expect.stringMatching(new RegExp(`^${url}\\?v=`)),
          width: 10,
          height: 4,
          blurhash: replaced.data.item.blurhash,
        }),
    );
  });

  it.each<[string, () => Promise<object>, string]>([
    ['an unknown item', () => Promise.resolve({ hero: local('01JUNKNOWN') }), 'hero'],
    ['the bare id of an unknown item', () => Promise.resolve({ any: '01JUNKNOWN' }), 'any'],
    ['a pending item', async () => ({ any: local(await pending()) }), 'any'],
    ['an item of another site', async () => ({ any: local(await itemOfAnotherSite()) }), 'any'],
    [
      'an item of a type that the field does not allow',
      async () => ({ hero: local((await picture('jpeg')).id) }),
      'hero',
    ],
    ['an item that is not an image', async () => ({ any: local((await pdf()).id) }), 'any'],
    [
      'an item of a wrong type in the dark variant',
      async () => ({ hero: local((await picture()).id, { darkVariant: local((await picture('jpeg')).id) }) }),
      'hero.darkVariant',
    ],
    [
      'an unknown item in a row',
      () => Promise.resolve({ rows: [{ picture: local('x') }] }),
      'rows.0.picture',
    ],
    [
      'an item of a wrong type in a block',
      async () => ({ parts: block((await picture('jpeg')).id) }),
      'parts.0.picture',
    ],
    ['an unknown item of a file value', () => Promise.resolve({ attachment: local('x') }), 'attachment'],
  ])('returns 400 on create and update for %s', async (_, dataOf, path) => {
    const data = await dataOf();
    const rejected = await create(data);
    expect([...statusAndCode(rejected), issuePaths(rejected)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
    const entry = await createEntry(admin, 'posts', { title: 'a', body: undefined });
    const changed = await entry.put({ data });
    expect([...statusAndCode(changed), issuePaths(changed)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
  });

  it('with a deleted item is retained without a URL in entries that have it, and rejected in others', async () => {
    const { id } = await picture();
    const { item } = (await create({ hero: local(id), title: 'a' })).data;
    await admin.delete(`/media/${id}`);
    const path = `/content/posts/${item.id}`;
    const { src: _, ...stored } = item.data.hero as Record<string, unknown>;
    await eventuallyPasses(
      async () => (await admin.get(path)).data.item.data.hero,
      (hero) => expect(hero).toEqual(stored),
    );
    const changed = await admin.put(path, { data: { title: 'b', hero: local(id) } });
    expect([changed.status, changed.data.item.data]).toMatchObject([200, { title: 'b', hero: stored }]);
    expect((await admin.post(`${path}/publish`)).status).toBe(200);
    expect(statusAndCode(await create({ hero: local(id) }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 400 on publishing an item of a type that the field no longer allows', async () => {
    const { id } = await picture('jpeg');
    const entry = await createEntry(admin, 'posts', { any: local(id), body: undefined });
    const rule = (allowedMimeTypes: string[] | undefined) =>
      admin.put('/schema/collections/posts/fields/any', {
        validation: allowedMimeTypes ? { allowedMimeTypes } : null,
      });
    expect((await rule(['image/png'])).status).toBe(200);
    expect(issuePaths(await entry.publish())).toEqual(['any']);
    await rule(['image/jpeg']);
    expect((await entry.publish()).status).toBe(200);
  });
});

describe('a file value with an item of the media library (document 3, file)', () => {
  it('takes its properties from the item when written, and is returned as stored afterwards', async () => {
    const { id, storageKey, url, size } = await pdf();
    const { item } = (await create({ attachment: { id, size: 1, url: '/elsewhere' } })).data;
    const stored = {
      ...local(id),
      filename: 'a.pdf',
      mimeType: 'application/pdf',
      size,
      url,
      meta: { storageKey },
    };
    expect(item.data.attachment).toEqual(stored);
    await admin.delete(`/media/${id}`);
    expect((await admin.get(`/content/posts/${item.id}`)).data.item.data.attachment).toEqual(stored);
  });
});

describe('image and file values of other providers', () => {
  it('are stored as submitted, without an item', async () => {
    const sent = { provider: 'cloud', id: 'x', filename: 'a.pdf', mimeType: 'application/pdf' };
    const external = { provider: 'external', id: '', src: 'https://example.org/a.png' };
    const { item } = (await create({ attachment: sent, any: external })).data;
    expect(item.data).toMatchObject({ attachment: sent, any: external });
  });
});
