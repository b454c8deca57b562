import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  createImage,
  eventuallyPasses,
  issuePaths,
  multipartForm,
  openSite,
  statusAndCode,
  uploadFile,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';

let site: Site;
let other: Site;
let admin: Client;

const card = {
  fields: [
    { slug: 'picture', label: 'Picture', type: 'image', validation: { allowedMimeTypes: ['image/png'] } },
  ],
};

beforeAll(async () => {
  [site, other] = [await openSite(), await openSite()];
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
afterAll(async () => {
  await site.close();
  await other.close();
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
/** An item that was announced and not uploaded. */
async function pending(): Promise<string> {
  const announced = { filename: 'a.png', contentType: 'image/png', size: 100 };
  return (await admin.post('/media/upload-url', announced)).data.mediaId;
}
async function ofAnotherSite(): Promise<string> {
  return (await picture('png', await other.as('admin'))).id;
}
const create = (data: object): Promise<ApiResponse> => admin.post('/content/posts', { data });

describe('an image of the media library (document 3, image; contract 7)', () => {
  it('is completed from its item, whatever the client said of it', async () => {
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

  it('has the alternative text of its item, unless it has one of its own', async () => {
    const { id } = await picture();
    await admin.put(`/media/${id}`, { alt: 'Of the item' });
    const alts = await Promise.all(
      [{}, { alt: 'Own' }, { alt: '' }].map(
        async (more) => (await create({ hero: local(id, more) })).data.item.data.hero.alt,
      ),
    );
    expect(alts).toEqual(['Of the item', 'Own', '']);
  });

  it('has its address wherever it stands: dark variant, rows, blocks, drafts, lists, comparison, trash', async () => {
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
    const wanted = [one, two, three, four].map(({ url }) => url);
    const entry = await createEntry(admin, 'posts', { body: undefined, ...data });
    const published = await entry.publish();
    expect(sources(published.data.item.data)).toEqual(wanted);
    await entry.put({ data: { title: 'b' } });
    const { item } = (await admin.get(entry.path)).data;
    expect([sources(item.data), sources(item.liveData)]).toEqual([wanted, wanted]);
    const list = (await admin.get('/content/posts?limit=100')).data.items as { id: string; data: Values }[];
    expect(sources(list.find(({ id }) => id === item.id)?.data ?? {})).toEqual(wanted);
    const compared = (await admin.get(`${entry.path}/compare`)).data;
    expect([sources(compared.live), sources(compared.draft)]).toEqual([wanted, wanted]);
    await entry.remove();
    const trash = (await admin.get('/content/posts/trash')).data.items as { data: Values }[];
    expect(sources(trash[0]?.data ?? {})).toEqual(wanted);
  });

  it('has another address and other dimensions once its file was replaced', async () => {
    const { id, url } = await picture();
    const { item } = (await create({ hero: local(id) })).data;
    const parts = [
      { name: 'width', value: '10' },
      { name: 'height', value: '4' },
      {
        name: 'file',
        value: await createImage({ width: 10, height: 4 }),
        filename: 'a.png',
        type: 'image/png',
      },
    ];
    const replaced = await admin.put(`/media/${id}/replace`, undefined, multipartForm(parts));
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
    ['that nobody has', () => Promise.resolve({ hero: local('01JUNKNOWN') }), 'hero'],
    ['given as a bare id that nobody has', () => Promise.resolve({ any: '01JUNKNOWN' }), 'any'],
    ['that is still to be uploaded', async () => ({ any: local(await pending()) }), 'any'],
    ['of another site', async () => ({ any: local(await ofAnotherSite()) }), 'any'],
    [
      'of a type that its field does not take',
      async () => ({ hero: local((await picture('jpeg')).id) }),
      'hero',
    ],
    ['that is no picture', async () => ({ any: local((await pdf()).id) }), 'any'],
    [
      'of a wrong type in the dark variant',
      async () => ({ hero: local((await picture()).id, { darkVariant: local((await picture('jpeg')).id) }) }),
      'hero.darkVariant',
    ],
    [
      'that nobody has, in a row',
      () => Promise.resolve({ rows: [{ picture: local('x') }] }),
      'rows.0.picture',
    ],
    [
      'of a wrong type in a block',
      async () => ({ parts: block((await picture('jpeg')).id) }),
      'parts.0.picture',
    ],
    ['that nobody has, as a file', () => Promise.resolve({ attachment: local('x') }), 'attachment'],
  ])('%s is refused, by creating and by changing', async (_, dataOf, path) => {
    const data = await dataOf();
    const rejected = await create(data);
    expect([...statusAndCode(rejected), issuePaths(rejected)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
    const entry = await createEntry(admin, 'posts', { title: 'a', body: undefined });
    const changed = await entry.put({ data });
    expect([...statusAndCode(changed), issuePaths(changed)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
  });

  it('that is gone stays as it is in entries that have it, without an address, and in no others', async () => {
    const { id } = await picture();
    const { item } = (await create({ hero: local(id), title: 'a' })).data;
    await admin.delete(`/media/${id}`);
    const path = `/content/posts/${item.id}`;
    const { src: _, ...kept } = item.data.hero as Record<string, unknown>;
    await eventuallyPasses(
      async () => (await admin.get(path)).data.item.data.hero,
      (hero) => expect(hero).toEqual(kept),
    );
    const changed = await admin.put(path, { data: { title: 'b', hero: local(id) } });
    expect([changed.status, changed.data.item.data]).toMatchObject([200, { title: 'b', hero: kept }]);
    expect((await admin.post(`${path}/publish`)).status).toBe(200);
    expect(statusAndCode(await create({ hero: local(id) }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('is not published where its field takes its type no more', async () => {
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

describe('a file of the media library (document 3, file)', () => {
  it('is completed from its item when it is written, and is shown as stored from then on', async () => {
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

describe('media of other providers', () => {
  it('stay as they were sent, and need no item', async () => {
    const sent = { provider: 'cloud', id: 'x', filename: 'a.pdf', mimeType: 'application/pdf' };
    const external = { provider: 'external', id: '', src: 'https://example.org/a.png' };
    const { item } = (await create({ attachment: sent, any: external })).data;
    expect(item.data).toMatchObject({ attachment: sent, any: external });
  });
});
