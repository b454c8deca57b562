import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createImage, uploadFile, useSite, type Client } from '@quire/testing';
import xxhash from 'xxhash-wasm';

const site = useSite();
let contributor: Client;
let editor: Client;
beforeAll(async () => {
  [contributor, editor] = [await site.as('contributor'), await site.as('editor')];
});

const type = 'image/png';
const sha256Of = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const xxh64Of = async (bytes: Buffer) =>
  `xxh64:${(await xxhash()).h64Raw(bytes).toString(16).padStart(16, '0')}`;

describe('POST /media/upload-url with a contentHash (decision 60)', () => {
  it('returns no existing item for an xxHash64, which can be forged', async () => {
    const bytes = await createImage();
    const planted = (await uploadFile(contributor, { bytes, type })).data.item;
    const announce = (contentHash: string) =>
      editor.post('/media/upload-url', {
        filename: 'a.png',
        contentType: type,
        size: bytes.length,
        contentHash,
      });
    const { data } = await announce(await xxh64Of(bytes));
    expect([data.existing, data.uploadUrl]).toEqual([undefined, expect.any(String)]);
    expect(data.mediaId).not.toBe(planted.id);
    expect((await announce(sha256Of(bytes).toUpperCase().replace('SHA', 'sha'))).data.existing).toBe(true);
  });

  it('returns the existing item for its contentHash', async () => {
    const bytes = await createImage();
    const { item } = (await uploadFile(contributor, { bytes, type })).data;
    expect(item.contentHash).toBe(sha256Of(bytes));
    const known = { filename: 'a.png', contentType: type, size: bytes.length, contentHash: item.contentHash };
    expect((await editor.post('/media/upload-url', known)).data).toMatchObject({ mediaId: item.id });
  });
});

describe('POST /media with the xxHash64 and size of another file', () => {
  it('creates a separate item, because SHA-256 differs', async () => {
    const bytes = await createImage();
    const twin = Buffer.from(bytes);
    const planted = (await uploadFile(contributor, { bytes, type })).data.item;
    twin.writeUInt8(twin.readUInt8(twin.length - 20) ^ 1, twin.length - 20);
    await site.sql('UPDATE media_items SET content_hash = $1 WHERE id = $2', [
      await xxh64Of(twin),
      planted.id,
    ]);
    const response = await uploadFile(editor, { bytes: twin, type });
    expect([response.status, response.data.deduplicated]).toEqual([201, undefined]);
    expect(response.data.item.id).not.toBe(planted.id);
  });
});
