import { beforeAll, describe, expect, it } from '@jest/globals';
import { createImage, multipartForm, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let contributor: Client;
beforeAll(async () => {
  contributor = await site.as('contributor');
});

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="700">${content}</svg>`;
/** A path that is slow to render, because each dash of each stroke is drawn. */
const slowPath = Array.from({ length: 300 }, (_, index) => `M${index} 0 L${(index * 7919) % 700} 700`).join(
  ' ',
);
let count = 0;

/** Uploads a new document with a thumbnail. */
function upload(thumbnail: string | Uint8Array, type = 'image/png', filename = 't.png') {
  count += 1;
  const file = { name: 'file', value: `%PDF-1.7\n${count}`, filename: 'a.pdf', type: 'application/pdf' };
  const parts = [file, { name: 'thumbnail', value: thumbnail, filename, type }];
  return contributor.post('/media', undefined, multipartForm(parts));
}

describe('thumbnail of POST /media', () => {
  it.each([
    ['an SVG', svg('')],
    [
      'an SVG that takes long to draw',
      svg(`<path d="${slowPath}" stroke-width="90" stroke-dasharray="0.5"/>`),
    ],
    ['an SVG behind a declaration', `<?xml version="1.0"?>\n${svg('')}`],
    ['a PDF', '%PDF-1.7\n1 0 obj'],
    ['a video', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')],
    ['plain text', 'no image'],
  ])('returns INVALID_TYPE for %s declared as a PNG, and stores nothing', async (_, thumbnail) => {
    const before = (await contributor.get('/media')).data.items.length;
    expect(statusAndCode(await upload(thumbnail))).toEqual([400, 'INVALID_TYPE']);
    expect((await contributor.get('/media')).data.items).toHaveLength(before);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const)('accepts %s', async (format) => {
    const response = await upload(await createImage({ format }), `image/${format}`);
    expect([response.status, response.data.item.blurhash]).toEqual([201, expect.any(String)]);
  });

  it('is ignored when it is empty', async () => {
    const response = await upload('', 'application/octet-stream', '');
    expect([response.status, response.data.item.blurhash]).toEqual([201, null]);
  });
});
