import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  issuePaths,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  walkPages,
  type Client,
} from '@quire/testing';

interface Item {
  id: string;
  filename: string;
  folderId: string | null;
}

const site = useSite();
let author: Client;
let folder: string;
beforeAll(async () => {
  author = await site.as('author');
  folder = (await (await site.as('editor')).post('/media/folders', { name: 'Filed' })).data.item.id;
  for (let index = 0; index < 7; index += 1) {
    const image = index % 2 === 0;
    const bytes = image ? await createImage({ format: index === 0 ? 'jpeg' : 'png' }) : `%PDF-1.7\n${index}`;
    const type = image ? `image/${index === 0 ? 'jpeg' : 'png'}` : 'application/pdf';
    await uploadFile(
      author,
      { bytes, type, filename: `File_${index}` },
      index > 4 ? { folderId: folder } : {},
    );
  }
  // Two items have the same creation time, so that pages end between equal keys.
  await site.sql(
    "UPDATE media_items SET created_at = (SELECT created_at FROM media_items WHERE filename = 'File_3') WHERE filename = 'File_4'",
  );
});

const names = async (query: string) =>
  (await walkPages<Item>(author, `/media?${query}`)).map(({ filename }) => filename).sort();
const all = Array.from({ length: 7 }, (_, index) => `File_${index}`);
const newItem = async (client = author): Promise<Item> =>
  (await uploadFile(client, { bytes: await createImage(), type: 'image/png' })).data.item;

describe('GET /media', () => {
  it.each([1, 2, 6, 7])('returns each item once, newest first, in pages of %i', async (limit) => {
    const items = await walkPages<Item & { createdAt: string }>(author, `/media?limit=${limit}`);
    const keys = items.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(items.map(({ filename }) => filename).sort()).toEqual(all);
  });

  it.each([
    ['mimeType=image/png', ['File_2', 'File_4', 'File_6']],
    ['mimeType=image/', ['File_0', 'File_2', 'File_4', 'File_6']],
    ['mimeType=IMAGE/JPEG,application/pdf', ['File_0', 'File_1', 'File_3', 'File_5']],
    ['mimeType=image/jpeg&mimeType=application/', ['File_0', 'File_1', 'File_3', 'File_5']],
    ['mimeType=image/p', []],
    ['q=file_3', ['File_3']],
    ['q=_3', ['File_3']],
    ['q=%25', []],
    ['folderId=unfiled', ['File_0', 'File_1', 'File_2', 'File_3', 'File_4']],
    ['folderId=nothing', []],
    ['q=File&mimeType=application/pdf&folderId=unfiled', ['File_1', 'File_3']],
  ])('%s returns only matching items', async (query, expected) => {
    expect(await names(`${query}&limit=2`)).toEqual(expected);
  });

  it('filters by folder', async () => {
    expect(await names(`folderId=${folder}`)).toEqual(['File_5', 'File_6']);
    const { item } = (await author.get(`/media/folders/${folder}`)).data;
    expect(item.mediaCount).toBe(2);
  });

  it('page returns numbered pages with totalCount, and an empty one past the end', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => author.get(`/media?limit=3&page=${page}`)));
    expect(pages.map(({ data }) => [data.items.length, data.totalCount, data.nextCursor])).toEqual([
      [3, 7, undefined],
      [3, 7, undefined],
      [1, 7, undefined],
      [0, 7, undefined],
    ]);
    const ids = pages.flatMap(({ data }) => data.items.map(({ id }: Item) => id));
    expect(ids).toEqual((await walkPages<Item>(author, '/media')).map(({ id }) => id));
    expect((await author.get('/media?page=1&mimeType=image/png')).data.totalCount).toBe(3);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['q=', 'q'],
    ['mimeType=image', 'mimeType'],
    ['mimeType=image/*', 'mimeType'],
    ['page=1&cursor=x', 'page'],
  ])('returns 400 for %s', async (query, path) => {
    const response = await author.get(`/media?${query}`);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [path]]);
  });

  it('returns 400 INVALID_CURSOR for a cursor of other filters or of another tenant', async () => {
    const { nextCursor } = (await author.get('/media?limit=1')).data;
    const other = await openSite();
    for (const response of [
      await author.get(`/media?limit=1&mimeType=image/&cursor=${nextCursor}`),
      await (await other.as('author')).get(`/media?limit=1&cursor=${nextCursor}`),
    ])
      expect(statusAndCode(response)).toEqual([400, 'INVALID_CURSOR']);
    await other.close();
  });
});

describe('PUT /media/{id}', () => {
  it('updates only the submitted fields', async () => {
    const { id } = await newItem();
    const first = (await author.put(`/media/${id}`, { alt: 'A', caption: 'B', width: 5, folderId: folder }))
      .data.item;
    expect(first).toMatchObject({ alt: 'A', caption: 'B', width: 5, height: 6, folderId: folder });
    const second = (await author.put(`/media/${id}`, { alt: '', folderId: null })).data.item;
    expect(second).toMatchObject({ alt: '', caption: 'B', folderId: null });
    await author.put(`/media/${id}`, { folderId: folder });
    expect((await author.put(`/media/${id}`, { folderId: 'unfiled' })).data.item.folderId).toBeNull();
  });

  it('changes nothing without known fields', async () => {
    const item = await newItem();
    const response = await author.put(`/media/${item.id}`, {
      filename: 'other',
      storageKey: 'other',
      id: 'other',
    });
    expect([response.status, response.data.item]).toEqual([200, item]);
  });

  it.each([
    ['alt', null],
    ['caption', null],
    ['alt', 'a'.repeat(2001)],
    ['caption', 'a\0'],
    ['width', 0],
    ['height', 1.5],
    ['width', 3_000_000_000],
    ['folderId', ''],
    ['folderId', 5],
  ])('returns 400 for %s = %.20j', async (name, value) => {
    const { id } = await newItem();
    const response = await author.put(`/media/${id}`, { [name]: value });
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [name]]);
  });

  it('returns 404 NOT_FOUND for an unknown folder and changes nothing', async () => {
    const item = await newItem();
    const response = await author.put(`/media/${item.id}`, { alt: 'x', folderId: 'nothing' });
    expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    expect((await author.get(`/media/${item.id}`)).data.item).toEqual(item);
  });
});

describe('DELETE /media/{id}', () => {
  it('deletes the item and its object', async () => {
    const { id } = await newItem();
    expect((await author.delete(`/media/${id}`)).data).toEqual({ deleted: true });
    for (const response of [
      await author.get(`/media/${id}`),
      await author.put(`/media/${id}`, {}),
      await author.delete(`/media/${id}`),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    const pendingDeletions = 'SELECT object_key FROM cms_media.object_deletions WHERE tenant_id = $1';
    expect(await site.sql(pendingDeletions, [site.tenant])).toEqual([]);
  });
});

describe('DELETE /media/folders/{id}', () => {
  it('moves its items to the main library, otherwise unchanged', async () => {
    const editor = await site.as('editor');
    const { id } = (await editor.post('/media/folders', { name: 'Deleted' })).data.item;
    const item = await newItem();
    const filed = (await author.put(`/media/${item.id}`, { folderId: id })).data.item;
    await editor.delete(`/media/folders/${id}`);
    expect((await author.get(`/media/${item.id}`)).data.item).toEqual({ ...filed, folderId: null });
  });
});

describe('GET /media with q for a file name with accents', () => {
  it.each(['NFC', 'NFD'] as const)('finds a name in %s for both normalisation forms', async (form) => {
    await uploadFile(author, {
      bytes: await createImage(),
      type: 'image/png',
      filename: `${form} Café.png`.normalize(form),
    });
    for (const typed of ['NFC', 'NFD'] as const)
      expect(await names(`q=${encodeURIComponent(`${form} café`.normalize(typed))}`)).toEqual([
        `${form} Café.png`,
      ]);
  });
});
