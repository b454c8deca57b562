import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, createImage, uploadFile, useSite, type Client } from '@quire/testing';

const site = useSite();
let author: Client;
let editor: Client;

beforeAll(async () => {
  author = await site.as('author');
  editor = await site.as('editor');
});

const call = (name: string, args: object = {}, client = author) => callTool(client, name, args);
/** Uploads an image. @returns its item */
async function image(client = author, format: 'png' | 'webp' = 'png') {
  const file = { bytes: await createImage({ format }), type: `image/${format}`, filename: `a.${format}` };
  return (await uploadFile(client, file)).data.item;
}
const announce = async (size: number, client = author) =>
  (await client.post('/media/upload-url', { filename: 'a.png', contentType: 'image/png', size })).data as {
    mediaId: string;
    storageKey: string;
  };
const put = (mediaId: string, bytes: Buffer) =>
  author.put(`/media/${mediaId}/upload`, undefined, {
    headers: { 'content-type': 'image/png' },
    rawBody: bytes,
  });
const idsIn = (data: { items: { id: string }[] }) => data.items.map(({ id }) => id);

describe('media_list and media_get', () => {
  it('return ready items, newest first, with all properties', async () => {
    const older = await image();
    const newer = await image();
    await announce(10);
    const { data } = await call('media_list');
    expect(idsIn(data)).toEqual([newer.id, older.id]);
    const { item } = (await call('media_get', { id: newer.id })).data;
    expect(data.items[0]).toEqual(item);
    expect(item).toMatchObject({
      id: newer.id,
      filename: 'a.png',
      mimeType: 'image/png',
      size: expect.any(Number),
      width: 8,
      height: 6,
      alt: null,
      caption: null,
      storageKey: expect.any(String),
      contentHash: expect.stringMatching(/^sha256:/),
      status: 'ready',
      authorId: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      url: `/_cms/api/media/file/${newer.storageKey}`,
    });
  });

  it('media_list filters by an exact type, or by a prefix that ends in a slash', async () => {
    const webp = await image(author, 'webp');
    const pdf = { bytes: '%PDF-1.7 media list', type: 'application/pdf' };
    const { id } = (await uploadFile(author, pdf)).data.item;
    expect(idsIn((await call('media_list', { mimeType: 'image/webp' })).data)).toEqual([webp.id]);
    expect(idsIn((await call('media_list', { mimeType: 'application/' })).data)).toEqual([id]);
    expect(idsIn((await call('media_list', { mimeType: 'image/' })).data)).not.toContain(id);
    expect((await call('media_list', { mimeType: 'image/w' })).data).toEqual({ items: [] });
    expect((await call('media_list', { mimeType: 'image' })).code).toBe('VALIDATION_ERROR');
  });

  it('media_list returns each item once over all pages, and rejects other cursors', async () => {
    const whole = idsIn((await call('media_list')).data);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await call('media_list', { limit: 2, cursor });
      seen.push(...idsIn(data));
      cursor = data.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(whole);
    const { nextCursor } = (await call('media_list', { limit: 1 })).data;
    for (const args of [
      { cursor: 'x' },
      { cursor: `${nextCursor}x` },
      { cursor: nextCursor, mimeType: 'image/' },
    ])
      expect((await call('media_list', args)).code).toBe('INVALID_CURSOR');
    for (const limit of [0, 101, '2'])
      expect((await call('media_list', { limit })).code).toBe('VALIDATION_ERROR');
  });

  it('media_get returns NOT_FOUND for no item', async () => {
    expect((await call('media_get', { id: 'nothing' })).code).toBe('NOT_FOUND');
  });

  it.each([
    ['media_list', {}],
    ['media_get', { id: 'nothing' }],
  ])('%s requires media:read, of a subscriber', async (tool, args) => {
    const writer = await site.withScopes('admin', ['media:write', 'content:read']);
    expect((await call(tool, args, writer)).code).toBe('INSUFFICIENT_SCOPE');
    const reader = await site.withScopes('subscriber', ['media:read']);
    expect((await call(tool, args, reader)).code ?? '').not.toMatch(/INSUFF/);
  });
});

describe('media_update and media_delete', () => {
  it('media_update changes the given properties', async () => {
    const { id } = await image();
    const { item } = (await call('media_update', { id, alt: 'A cat', width: 80 })).data;
    expect(item).toMatchObject({ id, alt: 'A cat', caption: null, width: 80, height: 6 });
    const again = (await call('media_update', { id, caption: 'Asleep', height: 60 })).data;
    expect(again.item).toMatchObject({ alt: 'A cat', caption: 'Asleep', width: 80, height: 60 });
  });

  it.each([{ width: 0 }, { height: -1 }, { width: 1.5 }, { width: '8' }, { alt: 1 }])(
    'media_update rejects %j with VALIDATION_ERROR',
    async (change) => {
      const { id } = await image();
      expect((await call('media_update', { id, ...change })).code).toBe('VALIDATION_ERROR');
    },
  );

  it('media_delete deletes an item once', async () => {
    const { id } = await image();
    expect((await call('media_delete', { id })).data).toEqual({ deleted: true });
    expect((await call('media_delete', { id })).code).toBe('NOT_FOUND');
    expect((await call('media_get', { id })).code).toBe('NOT_FOUND');
  });

  it.each(['media_update', 'media_delete'])(
    '%s requires media:write, and the own item or an editor',
    async (tool) => {
      const { id } = await image();
      const code = async (client: Client) => (await call(tool, { id }, client)).code;
      expect(await code(await site.withScopes('author', ['media:read', 'content:write']))).toBe(
        'INSUFFICIENT_SCOPE',
      );
      expect(await code(await site.as('contributor'))).toBe('INSUFFICIENT_PERMISSIONS');
      expect(await code(await site.another('author', 'other'))).toBe('INSUFFICIENT_PERMISSIONS');
      expect((await call(tool, { id: 'nothing' })).code).toBe('NOT_FOUND');
      expect(await code(editor)).toBeUndefined();
    },
  );
});

describe('media_create', () => {
  it('makes an upload of the same user ready, once', async () => {
    const bytes = await createImage();
    const { mediaId, storageKey } = await announce(bytes.length);
    await put(mediaId, bytes);
    const { item } = (await call('media_create', { storageKey })).data;
    expect(item).toMatchObject({ id: mediaId, storageKey, status: 'ready', size: bytes.length, width: 8 });
    expect((await call('media_create', { storageKey })).code).toBe('INVALID_STATE');
  });

  it('rejects an unknown key, and that of another user, with INVALID_STORAGE_KEY', async () => {
    const bytes = await createImage();
    const { mediaId, storageKey } = await announce(bytes.length);
    await put(mediaId, bytes);
    expect((await call('media_create', { storageKey: 'nothing.png' })).code).toBe('INVALID_STORAGE_KEY');
    for (const other of [editor, await site.another('author', 'other')])
      expect((await call('media_create', { storageKey }, other)).code).toBe('INVALID_STORAGE_KEY');
    expect((await call('media_create', { storageKey })).isError).toBe(false);
  });

  it('returns FILE_NOT_FOUND when nothing was uploaded, and INVALID_STATE afterwards', async () => {
    const { storageKey } = await announce(10);
    expect((await call('media_create', { storageKey })).code).toBe('FILE_NOT_FOUND');
    expect((await call('media_create', { storageKey })).code).toBe('INVALID_STATE');
  });

  it('returns UPLOAD_SIZE_MISMATCH for a file of another size than declared', async () => {
    const bytes = await createImage();
    const { mediaId, storageKey } = await announce(bytes.length);
    await put(mediaId, bytes);
    // The service rejects such an upload itself; a store with signed URLs accepts it.
    await site.sql('UPDATE media_items SET size = size + 1 WHERE id = $1', [mediaId]);
    expect((await call('media_create', { storageKey })).code).toBe('UPLOAD_SIZE_MISMATCH');
  });

  it('requires media:write, and an author', async () => {
    const args = { storageKey: 'nothing' };
    const reader = await site.withScopes('author', ['media:read']);
    expect((await call('media_create', args, reader)).code).toBe('INSUFFICIENT_SCOPE');
    expect((await call('media_create', args, await site.as('contributor'))).code).toBe(
      'INSUFFICIENT_PERMISSIONS',
    );
    expect((await call('media_create', {})).code).toBe('VALIDATION_ERROR');
  });
});
