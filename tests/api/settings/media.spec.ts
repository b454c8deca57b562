import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  issuePaths,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
} from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM settings');
});

interface Item {
  id: string;
  url: string;
}

const upload = async (client = admin): Promise<Item> =>
  (await uploadFile(client, { bytes: await createImage({ width: 12, height: 9 }), type: 'image/png' })).data
    .item;
const read = async () => (await admin.get('/settings')).data;
const put = (body: unknown) => admin.put('/settings', body);
const resolved = ({ id, url }: Item) => ({
  mediaId: id,
  url,
  contentType: 'image/png',
  width: 12,
  height: 9,
});

describe('media in PUT /settings (contract 21, MediaRef)', () => {
  it('returns url, content type and size beside the stored reference', async () => {
    const [logo, favicon, image] = [await upload(), await upload(), await upload()];
    const response = await put({
      logo: { mediaId: logo.id, alt: 'A quire of paper' },
      favicon: { mediaId: favicon.id },
      seo: { defaultOgImage: { mediaId: image.id }, titleSeparator: '|' },
    });
    expect([response.status, response.data]).toEqual([
      200,
      {
        logo: { ...resolved(logo), alt: 'A quire of paper' },
        favicon: resolved(favicon),
        seo: { titleSeparator: '|', defaultOgImage: resolved(image) },
      },
    ]);
    expect(await read()).toEqual(response.data);
  });

  it('replaces a reference as a whole and clears it with null, also inside seo', async () => {
    const [old, current] = [await upload(), await upload()];
    await put({ logo: { mediaId: old.id, alt: 'old' }, seo: { defaultOgImage: { mediaId: old.id } } });
    expect((await put({ logo: { mediaId: current.id } })).data.logo).toEqual(resolved(current));
    await put({ logo: null, seo: { defaultOgImage: null } });
    expect(await read()).toEqual({});
  });

  it('rejects references to unknown, pending or foreign items with one issue each', async () => {
    const other = await openSite();
    const foreign = await upload(await other.as('admin'));
    await other.close();
    const { mediaId: pending } = (
      await admin.post('/media/upload-url', { filename: 'a.png', contentType: 'image/png', size: 1 })
    ).data;
    const response = await put({
      title: 'New',
      logo: { mediaId: foreign.id },
      favicon: { mediaId: pending },
      seo: { defaultOgImage: { mediaId: 'nothing' } },
    });
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['logo.mediaId', 'favicon.mediaId', 'seo.defaultOgImage.mediaId'],
    ]);
    expect(await read()).toEqual({});
  });

  it('returns only the stored reference after the item was deleted', async () => {
    const item = await upload();
    await put({ logo: { mediaId: item.id, alt: 'deleted' } });
    await admin.delete(`/media/${item.id}`);
    expect(await read()).toEqual({ logo: { mediaId: item.id, alt: 'deleted' } });
    expect((await put({ title: 'Still' })).status).toBe(200);
  });
});
