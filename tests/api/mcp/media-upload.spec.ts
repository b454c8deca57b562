import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  callTool,
  createImage,
  createRotatedPhoto,
  download,
  uploadFile,
  useSite,
  type Client,
} from '@quire/testing';

const site = useSite();
let contributor: Client;

beforeAll(async () => {
  contributor = await site.as('contributor');
});

/** The default of the installation. */
const maxUploadBytes = 50 * 1024 * 1024;
const upload = (bytes: Buffer, more: object = {}, client = contributor) =>
  callTool(client, 'media_upload', {
    filename: 'photo.png',
    base64: bytes.toString('base64'),
    contentType: 'image/png',
    ...more,
  });
const pdf = (size: number) => Buffer.alloc(size, '%PDF-1.7 ');

describe('media_upload', () => {
  it('stores the bytes and returns a ready item with the properties of the image', async () => {
    const bytes = await createImage({ width: 12, height: 9 });
    const { data } = await upload(bytes, { alt: 'A cat', caption: 'Asleep', filename: '../cat.png' });
    expect(data).toEqual({ item: expect.any(Object) });
    expect(data.item).toMatchObject({
      filename: 'cat.png',
      mimeType: 'image/png',
      size: bytes.length,
      width: 12,
      height: 9,
      alt: 'A cat',
      caption: 'Asleep',
      status: 'ready',
      blurhash: expect.any(String),
      contentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    const file = await download(site.system, site.host, data.item.url);
    expect([file.status, file.bytes.equals(bytes)]).toEqual([200, true]);
  });

  it('inspects the image as an upload by REST does', async () => {
    const photo = await createRotatedPhoto({ width: 10, height: 5 });
    const { item } = (await upload(photo, { contentType: 'image/jpeg', filename: 'photo.jpg' })).data;
    const other = await createRotatedPhoto({ width: 10, height: 5 });
    const { item: expected } = (await uploadFile(contributor, { bytes: other, type: 'image/jpeg' })).data;
    expect([item.width, item.height]).toEqual([expected.width, expected.height]);
    expect([item.width, item.height]).toEqual([5, 10]);
  });

  it('returns the existing item for identical bytes, also of an upload by REST', async () => {
    const bytes = await createImage();
    const { item } = (await uploadFile(contributor, { bytes, type: 'image/png' })).data;
    expect((await upload(bytes, { filename: 'other.png' })).data).toEqual({ item, deduplicated: true });
  });

  it('stores concurrent uploads of the same bytes once', async () => {
    const bytes = await createImage();
    const uploads = await Promise.all([1, 2, 3, 4].map(() => upload(bytes)));
    expect(new Set(uploads.map(({ data }) => data.item.id)).size).toBe(1);
    expect(uploads.filter(({ data }) => data.deduplicated === true)).toHaveLength(3);
  });

  it.each(['image/svg+xml', 'text/html', 'application/zip', 'image/avif', 'image', ''])(
    'rejects the type %j with INVALID_TYPE or VALIDATION_ERROR',
    async (contentType) => {
      const { code } = await upload(await createImage(), { contentType });
      expect(code).toBe(contentType === '' ? 'VALIDATION_ERROR' : 'INVALID_TYPE');
    },
  );

  it('rejects bytes of another type than declared with INVALID_TYPE, and stores nothing', async () => {
    const html = Buffer.from('<html><script>alert(1)</script></html>');
    expect((await upload(html)).code).toBe('INVALID_TYPE');
    expect((await upload(await createImage(), { contentType: 'image/jpeg' })).code).toBe('INVALID_TYPE');
  });

  it.each([
    ['', 'empty'],
    ['?', 'other characters'],
    ['QUJ', 'no padding'],
    ['QUJD-_==', 'base64url'],
    ['QUJD\nQUJD', 'line breaks'],
    ['data:image/png;base64,QUJD', 'a data URL'],
  ])('rejects the base64 %j (%s) with VALIDATION_ERROR', async (base64) => {
    const { code, details } = await upload(Buffer.alloc(0), { base64 });
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toEqual([expect.objectContaining({ path: 'base64' })]);
  });

  it('requires a name, bytes and a type; it takes no url', async () => {
    const { code, details } = await callTool(contributor, 'media_upload', {
      url: 'https://example.com/a.png',
    });
    expect(code).toBe('VALIDATION_ERROR');
    const issues = details?.['issues'] as { path: string }[];
    expect(issues.map(({ path }) => path)).toEqual(['filename', 'base64', 'contentType']);
  });

  it('requires media:write, and a contributor', async () => {
    const bytes = await createImage();
    const reader = await site.withScopes('contributor', ['media:read', 'content:write']);
    expect((await upload(bytes, {}, reader)).code).toBe('INSUFFICIENT_SCOPE');
    expect((await upload(bytes, {}, await site.as('subscriber'))).code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});

describe('media_upload at the limit (CMS_MAX_UPLOAD_BYTES)', () => {
  const asPdf = { contentType: 'application/pdf', filename: 'large.pdf' };

  it('stores a file of the maximum size', async () => {
    const uploader = await site.withScopes('contributor', ['media:write']);
    const { data, code } = await upload(pdf(maxUploadBytes), asPdf, uploader);
    expect(code).toBeUndefined();
    expect(data.item).toMatchObject({ size: maxUploadBytes, status: 'ready' });
  });

  it('rejects one byte more with PAYLOAD_TOO_LARGE', async () => {
    expect((await upload(pdf(maxUploadBytes + 1), asPdf)).code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('names the limit and the allowed types in the input schema', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { result } = (await contributor.post('/mcp', list)).body as {
      result: {
        tools: { name: string; inputSchema: { properties: Record<string, { description: string }> } }[];
      };
    };
    const { properties } = result.tools.find(({ name }) => name === 'media_upload')?.inputSchema ?? {};
    expect(Object.keys(properties ?? {})).toEqual(['filename', 'base64', 'contentType', 'alt', 'caption']);
    expect(properties?.['base64']?.description).toContain(`${maxUploadBytes} bytes`);
    expect(properties?.['contentType']?.description).toContain(
      'image/png, image/jpeg, image/gif, image/webp, video/*, audio/*, application/pdf',
    );
  });
});
