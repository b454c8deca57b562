import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, walkPages } from '@quire/testing';
import { imageOf, mediaFields, richImage, UsageSite, useUsageSite } from './support.js';

interface UsageEntry {
  collection: string;
  contentId: string;
}

const usageSite = useUsageSite();

const usageOf = (id: string, query = '') => usageSite.admin.get(`/media/${id}/usage${query}`);

describe('GET /media/{id}/usage', () => {
  it('returns each entry with all live and staged occurrences', async () => {
    const id = await usageSite.media();
    const entry = await usageSite.entry(
      {
        title: 'One',
        hero: { ...imageOf(id), darkVariant: imageOf(id) },
        attachment: { id, filename: 'a.png' },
        body: [{ _type: 'block' }, richImage(id), { _type: 'gallery', images: [richImage(id)] }],
        rows: [{}, { picture: imageOf(id) }],
      },
      { published: true },
    );
    await entry.put({
      data: { title: 'Staged', hero: null, attachment: null, body: [richImage(id)], rows: [] },
    });
    await usageSite.repair('posts');
    const occurrence = (
      fieldSlug: string,
      fieldPath: string,
      referenceType: string,
      occurrenceIndex = 0,
    ) => ({
      fieldSlug,
      fieldPath,
      occurrenceIndex,
      referenceType,
    });
    expect((await usageOf(id)).data).toEqual({
      items: [
        {
          collection: 'posts',
          contentId: entry.id,
          title: 'One',
          slug: 'one',
          locale: 'en',
          status: 'published',
          scheduledAt: null,
          deletedAt: null,
          sources: [
            {
              variant: 'columns',
              occurrences: [
                occurrence('hero', 'hero', 'image_field'),
                occurrence('hero', 'hero.darkVariant', 'image_field', 1),
                occurrence('attachment', 'attachment', 'file_field'),
                occurrence('body', 'body.1', 'portable_text_image'),
                occurrence('body', 'body.2.images.0', 'portable_text_gallery', 1),
                occurrence('rows', 'rows.1.picture', 'image_field'),
              ],
            },
            { variant: 'draft_overlay', occurrences: [occurrence('body', 'body.0', 'portable_text_image')] },
          ],
        },
      ],
      coverage: { scope: 'all_content_collections', status: 'complete' },
      siteSettings: [],
    });
  });

  it('returns the deletion and publication times of trashed and scheduled entries', async () => {
    const id = await usageSite.media();
    const trashed = await usageSite.entry({ hero: imageOf(id) });
    await trashed.remove();
    const scheduled = await usageSite.entry({ hero: imageOf(id) });
    await scheduled.schedule('2099-01-01T00:00:00.000Z');
    await usageSite.repair('posts');
    const { items } = (await usageOf(id)).data;
    expect(items).toMatchObject([
      { contentId: trashed.id, status: 'draft', deletedAt: expect.stringMatching(/Z$/) },
      {
        contentId: scheduled.id,
        status: 'scheduled',
        scheduledAt: '2099-01-01T00:00:00.000Z',
        deletedAt: null,
      },
    ]);
  });

  it('returns the settings that select the item', async () => {
    const id = await usageSite.media();
    await usageSite.admin.put('/settings', { favicon: { mediaId: id } });
    expect((await usageOf(id)).data).toMatchObject({ items: [], siteSettings: [{ setting: 'favicon' }] });
  });

  it.each([1, 2, 3, 6, 7])('returns each entry once with all occurrences in pages of %i', async (limit) => {
    const { id, entries: expected } = manyUses;
    const entries = await walkPages<UsageEntry & { sources: { occurrences: unknown[] }[] }>(
      usageSite.admin,
      `/media/${id}/usage?limit=${limit}`,
    );
    expect(entries.map(({ contentId }) => contentId).sort()).toEqual([...expected].sort());
    for (const { sources } of entries) expect(sources[0]?.occurrences).toHaveLength(2);
  });

  let manyUses: { id: string; entries: string[] };
  beforeAll(async () => {
    await usageSite.site.collection({ slug: 'pages', fields: mediaFields });
    const id = await usageSite.media();
    const entries: string[] = [];
    for (const collection of ['posts', 'pages', 'posts', 'pages', 'posts', 'posts'])
      entries.push((await usageSite.entry({ body: [richImage(id), richImage(id)] }, { collection })).id);
    await usageSite.repair();
    manyUses = { id, entries };
  });

  it('returns 400 for a cursor of another item, and 404 for an unknown item', async () => {
    const { nextCursor } = (await usageOf(manyUses.id, '?limit=1')).data;
    const other = await usageSite.media();
    expect(statusAndCode(await usageOf(other, `?cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
    expect(statusAndCode(await usageOf(other, '?cursor=x'))).toEqual([400, 'INVALID_CURSOR']);
    expect(statusAndCode(await usageOf('nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await usageOf(manyUses.id, '?limit=0'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns no usage of another site', async () => {
    const other = await UsageSite.open();
    await other.entry({ body: [richImage(manyUses.id)] });
    await other.repair();
    expect(statusAndCode(await other.admin.get(`/media/${manyUses.id}/usage`))).toEqual([404, 'NOT_FOUND']);
    expect(await usageSite.countOf(manyUses.id)).toBe(manyUses.entries.length);
    await other.close();
  });
});
