import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, type Client } from '@quire/testing';
import { imageOf, mediaFields, richImage, UsageSite, useUsageSite } from './support.js';

const usageSite = useUsageSite();
let editor: Client;
beforeAll(async () => {
  editor = await usageSite.site.as('editor');
});

/** Repairs the index. @returns the usage count of an item */
const repairedCount = async (id: string) => {
  await usageSite.repair('posts');
  return usageSite.countOf(id);
};

describe('usage.count of GET /media/{id}', () => {
  it('is 0 for an unused item', async () => {
    expect(await repairedCount(await usageSite.media())).toBe(0);
  });

  it('counts an entry once for several references in several fields', async () => {
    const id = await usageSite.media();
    await usageSite.entry({
      hero: { ...imageOf(id), darkVariant: imageOf(id) },
      attachment: { id, filename: 'a.png' },
      body: [richImage(id), { _type: 'gallery', images: [richImage(id)] }],
      rows: [{ picture: imageOf(id) }, { picture: imageOf(id) }],
    });
    expect(await repairedCount(id)).toBe(1);
    await usageSite.entry({ body: [richImage(id)] });
    expect(await repairedCount(id)).toBe(2);
  });

  it('counts each locale of an entry', async () => {
    const id = await usageSite.media();
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await usageSite.admin.post('/content/posts', {
      data: { title: 'x', hero: imageOf(id) },
      locale: 'de',
      translationOf: entry.id,
    });
    expect(await repairedCount(id)).toBe(2);
  });

  it('counts entries that refer to the item only in their draft or only in their live values', async () => {
    const [live, staged] = [await usageSite.media(), await usageSite.media()];
    const entry = await usageSite.entry({ hero: imageOf(live) }, { published: true });
    await entry.put({ data: { hero: imageOf(staged) } });
    await usageSite.repair('posts');
    expect([await usageSite.countOf(live), await usageSite.countOf(staged)]).toEqual([1, 1]);
    expect(await usageSite.occurrences(staged)).toEqual([`${entry.id} draft_overlay hero`]);
    await entry.publish();
    expect([await repairedCount(live), await usageSite.countOf(staged)]).toEqual([0, 1]);
  });

  it('counts an entry once that refers to the item in live values and draft', async () => {
    const id = await usageSite.media();
    const entry = await usageSite.entry({ hero: imageOf(id) }, { published: true });
    await entry.put({ data: { body: [richImage(id)] } });
    expect(await repairedCount(id)).toBe(1);
    expect(await usageSite.occurrences(id)).toEqual([
      `${entry.id} columns hero`,
      `${entry.id} draft_overlay hero`,
      `${entry.id} draft_overlay body.0`,
    ]);
  });

  it('does not count trashed entries', async () => {
    const id = await usageSite.media();
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await entry.remove();
    expect(await repairedCount(id)).toBe(0);
    await entry.restore();
    expect(await repairedCount(id)).toBe(1);
  });

  it('does not count media of other providers and custom rich-text blocks', async () => {
    const id = await usageSite.media();
    await usageSite.entry({
      hero: { provider: 'elsewhere', id },
      body: [{ _type: 'card', image: richImage(id) }],
    });
    expect(await repairedCount(id)).toBe(0);
  });

  it('counts media in blocks by the fields of the version of each block', async () => {
    const [first, second] = [await usageSite.media(), await usageSite.media()];
    const field = (slug: string) => ({ slug, label: slug, type: 'image' });
    const created = await usageSite.admin.post('/schema/block-types', {
      slug: 'card',
      label: 'Card',
      fields: [field('picture')],
    });
    expect(created.status).toBe(201);
    await usageSite.admin.post('/schema/collections/posts/fields', {
      slug: 'parts',
      label: 'Parts',
      type: 'blocks',
    });
    const block = (more: object) => ({ _type: 'card', _key: 'a', _version: 1, ...more });
    await usageSite.entry({ parts: [block({ picture: imageOf(first) })] });
    const { item } = created.data;
    const changed = await usageSite.admin.put('/schema/block-types/card', {
      expectedFingerprint: item.versions[0].fingerprint,
      fields: [field('photo')],
      breaking: true,
    });
    expect(changed.status).toBe(200);
    const entry = await usageSite.entry({ parts: [block({ _version: 2, photo: imageOf(second) })] });
    expect([await repairedCount(first), await usageSite.countOf(second)]).toEqual([1, 1]);
    expect(await usageSite.occurrences(second)).toEqual([`${entry.id} columns parts.0.photo`]);
  });

  it('counts each setting that selects the item, also without the index', async () => {
    const id = await usageSite.media();
    await usageSite.admin.put('/settings', {
      logo: { mediaId: id },
      favicon: { mediaId: id },
      seo: { defaultOgImage: { mediaId: id } },
    });
    const { count, siteSettings } = await usageSite.usageOf(id);
    expect([count, siteSettings]).toEqual([
      3,
      [{ setting: 'logo' }, { setting: 'favicon' }, { setting: 'seo.defaultOgImage' }],
    ]);
    await usageSite.admin.put('/settings', { logo: null, favicon: null });
    expect((await usageSite.usageOf(id)).siteSettings).toEqual([{ setting: 'seo.defaultOgImage' }]);
  });
});

describe('permissions for usage.count', () => {
  let id: string;
  beforeAll(async () => (id = await usageSite.media()));

  it.each(['contributor', 'author', 'editor', 'admin'] as const)('a %s gets the count', async (role) => {
    expect((await usageSite.usageOf(id, await usageSite.site.as(role))).count).toBe(0);
    expect((await usageSite.usageOf(id, await usageSite.site.signedIn(role))).count).toBe(0);
  });

  it('a subscriber gets null for the count and the other fields', async () => {
    const usage = await usageSite.usageOf(id, await usageSite.site.signedIn('subscriber'));
    expect(usage).toEqual({
      count: null,
      coverage: { scope: 'all_content_collections', status: expect.any(String) },
      siteSettings: [],
    });
  });

  it('a token of a user who may read drafts gets the count with any scope', async () => {
    const client = await usageSite.site.withScopes('contributor', ['media:read']);
    expect((await usageSite.usageOf(id, client)).count).toBe(0);
  });
});

describe('GET /media with includeUsage', () => {
  it('returns the usage of each item of a page, and none without the parameter', async () => {
    const ids = [await usageSite.media(), await usageSite.media()];
    await usageSite.entry({ hero: imageOf(ids[0] ?? '') });
    await usageSite.repair('posts');
    const byId = async (query: string): Promise<Map<string, { count: number } | undefined>> => {
      const { items } = (await editor.get(`/media?${query}`)).data;
      return new Map(items.map((item: { id: string; usage?: { count: number } }) => [item.id, item.usage]));
    };
    for (const query of ['includeUsage=1', 'includeUsage=1&page=1', 'limit=2&includeUsage=1']) {
      const usage = await byId(query);
      expect(ids.map((id) => usage.get(id)?.count)).toEqual([1, 0]);
    }
    expect((await byId('limit=2')).get(ids[0] ?? '')).toBeUndefined();
    expect((await editor.get(`/media/${ids[0]}`)).data.item.usage).toBeUndefined();
  });

  it.each(['0', 'true', '', '01', '2', 'yes'])('returns 400 for the value "%s"', async (value) => {
    const id = await usageSite.media();
    for (const path of ['/media', `/media/${id}`]) {
      const response = await editor.get(`${path}?includeUsage=${value}`);
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['includeUsage'],
      ]);
    }
  });

  it('accepts cursors of requests without the parameter', async () => {
    const first = (await editor.get('/media?limit=1')).data;
    const second = await editor.get(`/media?limit=1&includeUsage=1&cursor=${first.nextCursor}`);
    expect(second.status).toBe(200);
    expect(second.data.items[0].id).not.toBe(first.items[0].id);
  });
});

describe('usage.coverage of GET /media/{id}', () => {
  it('is never, partial or complete when no, some or all collections were repaired', async () => {
    const own = await UsageSite.open();
    await own.site.collection({ slug: 'pages', fields: mediaFields });
    expect(await own.coverage()).toBe('never');
    await own.repair('posts');
    expect(await own.coverage()).toBe('partial');
    await own.repair();
    expect(await own.coverage()).toBe('complete');
    await own.site.collection({ slug: 'notes', fields: mediaFields });
    expect(await own.coverage()).toBe('partial');
    await own.admin.delete('/schema/collections/notes');
    expect(await own.coverage()).toBe('complete');
    await own.close();
  });

  it.each([
    ['failed', "status = 'failed'"],
    ['failed', "status = 'running', repair_expires_at = now() - interval '1 second'"],
    ['running', "status = 'running', repair_expires_at = now() + interval '1 minute'"],
    ['stale', "status = 'stale'"],
    ['unknown', "status = 'something of a newer version'"],
  ])('is %s for the stored state %s', async (status, state) => {
    const own = await UsageSite.open();
    await own.repair();
    await own.site.sql(`UPDATE media_usage_coverage SET ${state}`);
    expect(await own.coverage()).toBe(status);
    await own.close();
  });

  it('is complete without collections', async () => {
    const own = await UsageSite.open();
    await own.admin.delete('/schema/collections/posts');
    expect(await own.coverage()).toBe('complete');
    await own.close();
  });
});
