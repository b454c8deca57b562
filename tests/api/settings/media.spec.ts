import { describe, expect, it } from '@jest/globals';
import {
  createImage,
  eventuallyPasses,
  issuePaths,
  openSite,
  statusAndCode,
  uploadFile,
} from '@quire/testing';
import { useSettings } from './support.js';

const settings = useSettings();

interface Item {
  id: string;
  url: string;
}

const upload = async (client = settings.admin): Promise<Item> =>
  (await uploadFile(client, { bytes: await createImage({ width: 12, height: 9 }), type: 'image/png' })).data
    .item;
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
    const response = await settings.update({
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
    expect(await settings.get()).toEqual(response.data);
  });

  it('replaces a reference as a whole and clears it with null, also inside seo', async () => {
    const [old, current] = [await upload(), await upload()];
    await settings.update({
      logo: { mediaId: old.id, alt: 'old' },
      seo: { defaultOgImage: { mediaId: old.id } },
    });
    expect((await settings.update({ logo: { mediaId: current.id } })).data.logo).toEqual(resolved(current));
    await settings.update({ logo: null, seo: { defaultOgImage: null } });
    expect(await settings.get()).toEqual({});
  });

  it('rejects references to unknown, pending or foreign items with one issue each', async () => {
    const other = await openSite();
    const foreign = await upload(await other.as('admin'));
    await other.close();
    const { mediaId: pending } = (
      await settings.admin.post('/media/upload-url', { filename: 'a.png', contentType: 'image/png', size: 1 })
    ).data;
    const response = await settings.update({
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
    expect(await settings.get()).toEqual({});
  });

  it('returns only the stored reference after the item was deleted', async () => {
    const item = await upload();
    await settings.update({ logo: { mediaId: item.id, alt: 'deleted' } });
    await settings.admin.delete(`/media/${item.id}`);
    // Another process may have the item in its cache for a moment.
    await eventuallyPasses(
      () => settings.get(),
      (shown) => expect(shown).toEqual({ logo: { mediaId: item.id, alt: 'deleted' } }),
    );
    expect((await settings.update({ title: 'Still' })).status).toBe(200);
  });
});
