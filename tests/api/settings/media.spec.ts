import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  issuePaths,
  createImage,
  openSite,
  statusAndCode,
  uploadFile,
  type Client,
  type Site,
} from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM settings');
});
afterAll(() => site.close());

interface Item {
  id: string;
  url: string;
}

const upload = async (client = admin): Promise<Item> =>
  (await uploadFile(client, { bytes: await createImage({ width: 12, height: 9 }), type: 'image/png' })).data
    .item;
const read = async () => (await admin.get('/settings')).data;
const put = (body: unknown) => admin.put('/settings', body);
const shown = ({ id, url }: Item) => ({ mediaId: id, url, contentType: 'image/png', width: 12, height: 9 });

describe('settings that select media (contract 21, MediaRef)', () => {
  it('show where the file is, its type and its size, beside what was sent', async () => {
    const [logo, favicon, image] = [await upload(), await upload(), await upload()];
    const answer = await put({
      logo: { mediaId: logo.id, alt: 'A quire of paper' },
      favicon: { mediaId: favicon.id },
      seo: { defaultOgImage: { mediaId: image.id }, titleSeparator: '|' },
    });
    expect([answer.status, answer.data]).toEqual([
      200,
      {
        logo: { ...shown(logo), alt: 'A quire of paper' },
        favicon: shown(favicon),
        seo: { titleSeparator: '|', defaultOgImage: shown(image) },
      },
    ]);
    expect(await read()).toEqual(answer.data);
  });

  it('are replaced as a whole, and cleared with null, inside seo too', async () => {
    const [old, present] = [await upload(), await upload()];
    await put({ logo: { mediaId: old.id, alt: 'old' }, seo: { defaultOgImage: { mediaId: old.id } } });
    expect((await put({ logo: { mediaId: present.id } })).data.logo).toEqual(shown(present));
    await put({ logo: null, seo: { defaultOgImage: null } });
    expect(await read()).toEqual({});
  });

  it('name every one that selects no item of this site, and change nothing', async () => {
    const other = await openSite();
    const strange = await upload(await other.as('admin'));
    await other.close();
    const { mediaId: pending } = (
      await admin.post('/media/upload-url', { filename: 'a.png', contentType: 'image/png', size: 1 })
    ).data;
    const answer = await put({
      title: 'New',
      logo: { mediaId: strange.id },
      favicon: { mediaId: pending },
      seo: { defaultOgImage: { mediaId: 'nothing' } },
    });
    expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['logo.mediaId', 'favicon.mediaId', 'seo.defaultOgImage.mediaId'],
    ]);
    expect(await read()).toEqual({});
  });

  it('keep the id alone of an item that was deleted since', async () => {
    const item = await upload();
    await put({ logo: { mediaId: item.id, alt: 'gone' } });
    await admin.delete(`/media/${item.id}`);
    expect(await read()).toEqual({ logo: { mediaId: item.id, alt: 'gone' } });
    expect((await put({ title: 'Still' })).status).toBe(200);
  });
});
