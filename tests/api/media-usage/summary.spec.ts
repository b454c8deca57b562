import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, type Client } from '@quire/testing';
import { imageOf, mediaFields, richImage, UsageSite } from './support/usage-site.js';

let usageSite: UsageSite;
let editor: Client;
beforeAll(async () => {
  usageSite = await UsageSite.open();
  editor = await usageSite.site.as('editor');
});
afterAll(() => usageSite.close());

/** Builds the index and counts. */
const counted = async (id: string) => {
  await usageSite.repair('posts');
  return usageSite.countOf(id);
};

describe('the number of uses', () => {
  it('is none for an item that nothing refers to', async () => {
    expect(await counted(await usageSite.media())).toBe(0);
  });

  it('counts an entry once, however often and in whatever field it refers to the item', async () => {
    const id = await usageSite.media();
    await usageSite.entry({
      hero: { ...imageOf(id), darkVariant: imageOf(id) },
      attachment: { id, filename: 'a.png' },
      body: [richImage(id), { _type: 'gallery', images: [richImage(id)] }],
      rows: [{ picture: imageOf(id) }, { picture: imageOf(id) }],
    });
    expect(await counted(id)).toBe(1);
    await usageSite.entry({ body: [richImage(id)] });
    expect(await counted(id)).toBe(2);
  });

  it('counts each locale of an entry', async () => {
    const id = await usageSite.media();
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await usageSite.admin.post('/content/posts', {
      data: { title: 'x', hero: imageOf(id) },
      locale: 'de',
      translationOf: entry.id,
    });
    expect(await counted(id)).toBe(2);
  });

  it('counts an entry whose draft alone refers to the item, and one whose live values alone do', async () => {
    const [live, staged] = [await usageSite.media(), await usageSite.media()];
    const entry = await usageSite.entry({ hero: imageOf(live) }, { published: true });
    await entry.put({ data: { hero: imageOf(staged) } });
    await usageSite.repair('posts');
    expect([await usageSite.countOf(live), await usageSite.countOf(staged)]).toEqual([1, 1]);
    expect(await usageSite.places(staged)).toEqual([`${entry.id} draft_overlay hero`]);
    await entry.publish();
    expect([await counted(live), await usageSite.countOf(staged)]).toEqual([0, 1]);
  });

  it('counts an entry once whose live values and draft refer to the item', async () => {
    const id = await usageSite.media();
    const entry = await usageSite.entry({ hero: imageOf(id) }, { published: true });
    await entry.put({ data: { body: [richImage(id)] } });
    expect(await counted(id)).toBe(1);
    expect(await usageSite.places(id)).toEqual([
      `${entry.id} columns hero`,
      `${entry.id} draft_overlay hero`,
      `${entry.id} draft_overlay body.0`,
    ]);
  });

  it('does not count what is in the trash', async () => {
    const id = await usageSite.media();
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await entry.remove();
    expect(await counted(id)).toBe(0);
    await entry.restore();
    expect(await counted(id)).toBe(1);
  });

  it('does not count media of other providers, nor custom rich-text blocks', async () => {
    const id = await usageSite.media();
    await usageSite.entry({
      hero: { provider: 'elsewhere', id },
      body: [{ _type: 'card', image: richImage(id) }],
    });
    expect(await counted(id)).toBe(0);
  });

  it('counts media in blocks, by the fields of the version that each block carries', async () => {
    const [old, present] = [await usageSite.media(), await usageSite.media()];
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
    await usageSite.entry({ parts: [block({ picture: imageOf(old) })] });
    const { item } = created.data;
    const changed = await usageSite.admin.put('/schema/block-types/card', {
      expectedFingerprint: item.versions[0].fingerprint,
      fields: [field('photo')],
      breaking: true,
    });
    expect(changed.status).toBe(200);
    const entry = await usageSite.entry({ parts: [block({ _version: 2, photo: imageOf(present) })] });
    expect([await counted(old), await usageSite.countOf(present)]).toEqual([1, 1]);
    expect(await usageSite.places(present)).toEqual([`${entry.id} columns parts.0.photo`]);
  });

  it('counts each setting that selects the item, without the index, and names them', async () => {
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

describe('who may see the usage count', () => {
  let id: string;
  beforeAll(async () => (id = await usageSite.media()));

  it.each(['contributor', 'author', 'editor', 'admin'] as const)('a %s is told', async (role) => {
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

  it('a token of somebody who may read drafts is, whatever else it is for', async () => {
    const client = await usageSite.site.withScopes('contributor', ['media:read']);
    expect((await usageSite.usageOf(id, client)).count).toBe(0);
  });
});

describe('includeUsage', () => {
  it('gives the usage of every item of a page, and none without it', async () => {
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

  it.each(['0', 'true', '', '01', '2', 'yes'])('"%s" is no value of it', async (value) => {
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

  it('changes nothing about the walk through the pages', async () => {
    const first = (await editor.get('/media?limit=1')).data;
    const second = await editor.get(`/media?limit=1&includeUsage=1&cursor=${first.nextCursor}`);
    expect(second.status).toBe(200);
    expect(second.data.items[0].id).not.toBe(first.items[0].id);
  });
});

describe('the coverage of a site', () => {
  it('is never before the first repair, partial when only some collections had one, then complete', async () => {
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
  ])('is %s where the stored state says %s', async (status, state) => {
    const own = await UsageSite.open();
    await own.repair();
    await own.site.sql(`UPDATE media_usage_coverage SET ${state}`);
    expect(await own.coverage()).toBe(status);
    await own.close();
  });

  it('is complete where there is no collection', async () => {
    const own = await UsageSite.open();
    await own.admin.delete('/schema/collections/posts');
    expect(await own.coverage()).toBe('complete');
    await own.close();
  });
});
