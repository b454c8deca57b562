import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createImage, multipartForm, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let contributor: Client;
beforeAll(async () => {
  site = await openSite();
  contributor = await site.as('contributor');
});
afterAll(() => site.close());

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="700">${content}</svg>`;
/** Takes a renderer of SVG long: each dash of each stroke is drawn. */
const slowPath = Array.from({ length: 300 }, (_, index) => `M${index} 0 L${(index * 7919) % 700} 700`).join(
  ' ',
);
let count = 0;

/** Uploads a document of its own with a thumbnail. */
function upload(thumbnail: string | Uint8Array, type = 'image/png', filename = 't.png') {
  count += 1;
  const file = { name: 'file', value: `%PDF-1.7\n${count}`, filename: 'a.pdf', type: 'application/pdf' };
  const parts = [file, { name: 'thumbnail', value: thumbnail, filename, type }];
  return contributor.post('/media', undefined, multipartForm(parts));
}

describe('the thumbnail of POST /media', () => {
  it.each([
    ['an SVG', svg('')],
    [
      'an SVG that takes long to draw',
      svg(`<path d="${slowPath}" stroke-width="90" stroke-dasharray="0.5"/>`),
    ],
    ['an SVG behind a declaration', `<?xml version="1.0"?>\n${svg('')}`],
    ['a PDF', '%PDF-1.7\n1 0 obj'],
    ['a film', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')],
    ['a text', 'no image'],
  ])('returns INVALID_TYPE for %s that is said to be a PNG, and stores nothing', async (_, thumbnail) => {
    const before = (await contributor.get('/media')).data.items.length;
    expect(statusAndCode(await upload(thumbnail))).toEqual([400, 'INVALID_TYPE']);
    expect((await contributor.get('/media')).data.items).toHaveLength(before);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const)('may be %s', async (format) => {
    const answer = await upload(await createImage({ format }), `image/${format}`);
    expect([answer.status, answer.data.item.blurhash]).toEqual([201, expect.any(String)]);
  });

  it('is none where the form has an empty one', async () => {
    const answer = await upload('', 'application/octet-stream', '');
    expect([answer.status, answer.data.item.blurhash]).toEqual([201, null]);
  });
});
