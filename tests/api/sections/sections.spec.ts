import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  eventually,
  issuePaths,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;
/** A media item. */
let picture: { id: string; url: string };

beforeAll(async () => {
  admin = await site.as('admin');
  picture = (await uploadFile(admin, { bytes: await createImage(), type: 'image/png' })).data.item;
});

const create = (body: object = {}) => {
  count += 1;
  return admin.post('/sections', { slug: `section-${count}`, title: 'A title', content: [], ...body });
};
const created = async (body: object = {}) => (await create(body)).data;
const get = async (slug: string) => (await admin.get(`/sections/${slug}`)).data;
const expectIssue = async (body: object, path: string) => {
  const response = await create(body);
  expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
};
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const paragraph = { _type: 'block', _key: 'a', children: [{ _type: 'span', text: 'Ünï' }] };

describe('POST /sections', () => {
  it('returns 201 with every documented property, null where unset', async () => {
    const response = await admin.post('/sections', { slug: 'bare', title: 'Bare', content: [] });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      slug: 'bare',
      title: 'Bare',
      description: null,
      keywords: [],
      content: [],
      previewMediaId: null,
      source: 'user',
      themeId: null,
      createdAt: expect.stringMatching(instant),
      updatedAt: expect.stringMatching(instant),
    });
    expect(await get('bare')).toEqual(response.data);
  });
  it('stores every property of the request', async () => {
    const input = {
      title: 'Call to action',
      description: 'Above the footer',
      keywords: ['cta', 'Über uns'],
      content: [paragraph, { _type: 'image', _key: 'b', asset: { id: 'x' }, deep: [[1, null, true]] }],
      previewMediaId: picture.id,
      source: 'import',
      themeId: 'plain',
    };
    expect(await created(input)).toMatchObject({ ...input, previewUrl: picture.url });
  });
  it('preserves the key order of blocks and adds a missing _key', async () => {
    const { slug } = await created({ content: [{ zebra: 1, _type: 'custom', apple: 2 }] });
    const [block] = (await get(slug)).content;
    expect(Object.keys(block).filter((key) => key !== '_key')).toEqual(['zebra', '_type', 'apple']);
    expect(block._key).toEqual(expect.any(String));
  });
  it.each(['a', '0', 'a-b-1', '-', 'x'.repeat(200)])('accepts the slug %j', async (slug) => {
    expect((await create({ slug })).status).toBe(201);
  });
  it.each(['', 'Hero', 'a b', 'a_b', 'a/b', 'ä', 'a\n', 'x'.repeat(201)])(
    'rejects the slug %j',
    async (slug) => {
      const response = await create({ slug });
      expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
      expect(new Set(issuePaths(response))).toEqual(new Set(['slug']));
    },
  );
  it.each([
    ['title', { title: undefined }],
    ['title', { title: '  ' }],
    ['title', { title: 'x'.repeat(501) }],
    ['title', { title: 'a\u0000' }],
    ['description', { description: 'x'.repeat(2_001) }],
    ['description', { description: 1 }],
    ['keywords', { keywords: Array.from({ length: 51 }, (_, index) => `k${index}`) }],
    ['keywords', { keywords: 'one' }],
    ['keywords.1', { keywords: ['a', ' '] }],
    ['keywords.0', { keywords: ['x'.repeat(101)] }],
    ['content', { content: undefined }],
    ['content', { content: 'text' }],
    ['content', { content: Array.from({ length: 5_001 }, () => ({ _type: 'block' })) }],
    ['content.0', { content: ['text'] }],
    ['content.0._type', { content: [{ text: 'x' }] }],
    ['content.0._key', { content: [{ _type: 'block', _key: 1 }] }],
    ['content.0.text', { content: [{ _type: 'block', text: 'a\u0000' }] }],
    ['previewMediaId', { previewMediaId: '' }],
    ['previewMediaId', { previewMediaId: 'no media item' }],
    ['source', { source: 'theme' }],
    ['source', { source: 'seed' }],
    ['themeId', { themeId: 1 }],
  ])('returns 400 VALIDATION_ERROR with the path %s', async (path, body) => {
    await expectIssue(body, path);
  });
  it('ignores unknown keys', async () => {
    expect(await created({ locale: 'de', id: 'mine' })).not.toHaveProperty('locale');
  });
  it('returns 409 CONFLICT for a taken slug, and to 9 of 10 concurrent requests', async () => {
    await create({ slug: 'taken' });
    expect(statusAndCode(await create({ slug: 'taken' }))).toEqual([409, 'CONFLICT']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ slug: 'raced' })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('GET /sections/{slug}', () => {
  it.each(['nothing', 'x'.repeat(500), 'Ä'])('returns 404 NOT_FOUND for %s', async (slug) => {
    expect(statusAndCode(await admin.get(`/sections/${encodeURIComponent(slug)}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
  it('returns 400 for a slug with a NUL character', async () => {
    expect(statusAndCode(await admin.get('/sections/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('PUT /sections/{slug}', () => {
  it('updates only the properties of the request', async () => {
    const before = await created({ description: 'Old', keywords: ['a'], content: [paragraph] });
    const response = await admin.put(`/sections/${before.slug}`, { title: 'New' });
    expect(response.data).toEqual({ ...before, title: 'New', updatedAt: expect.stringMatching(instant) });
    expect(await get(before.slug)).toEqual(response.data);
  });
  it('updates every writable property', async () => {
    const { slug } = await created();
    const input = {
      slug: 'renamed',
      title: 'New',
      description: 'New too',
      keywords: ['b', 'c'],
      content: [paragraph],
      previewMediaId: picture.id,
    };
    expect((await admin.put(`/sections/${slug}`, input)).data).toMatchObject(input);
    expect(statusAndCode(await admin.get(`/sections/${slug}`))).toEqual([404, 'NOT_FOUND']);
    expect(await get('renamed')).toMatchObject(input);
  });
  it('clears description and preview with null, and lists with empty lists', async () => {
    const { slug } = await created({
      description: 'Old',
      previewMediaId: picture.id,
      keywords: ['a'],
      content: [paragraph],
    });
    const cleared = { description: null, previewMediaId: null, keywords: [], content: [] };
    expect((await admin.put(`/sections/${slug}`, cleared)).data).toMatchObject(cleared);
  });
  it('reads and updates a section whose preview media item was deleted', async () => {
    const { item: preview } = (await uploadFile(admin, { bytes: await createImage(), type: 'image/png' }))
      .data;
    const { slug } = await created({ previewMediaId: preview.id });
    expect((await get(slug)).previewUrl).toBe(preview.url);
    expect((await admin.delete(`/media/${preview.id}`)).status).toBe(200);
    // Another process may have the item in its cache for a moment.
    const response = await eventually(
      () => admin.get(`/sections/${slug}`),
      ({ data }) => data.previewUrl === undefined,
    );
    expect([response.status, response.data]).toMatchObject([200, { slug, previewMediaId: preview.id }]);
    expect(response.data).not.toHaveProperty('previewUrl');
    expect((await admin.put(`/sections/${slug}`, { title: 'New' })).data).toMatchObject({ title: 'New' });
  });
  it('does not change source and themeId', async () => {
    const { slug } = await created({ source: 'import', themeId: 't' });
    const response = await admin.put(`/sections/${slug}`, { source: 'user', themeId: 'u' });
    expect(response.data).toMatchObject({ source: 'import', themeId: 't' });
  });
  it.each([
    ['slug', { slug: 'Not a slug' }],
    ['title', { title: null }],
    ['content.0._type', { content: [{}] }],
    ['keywords', { keywords: null }],
  ])('returns 400 VALIDATION_ERROR with the path %s', async (path, body) => {
    const { slug } = await created();
    const response = await admin.put(`/sections/${slug}`, body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
  it('returns 404 NOT_FOUND for an unknown section', async () => {
    expect(statusAndCode(await admin.put('/sections/nothing', { title: 'x' }))).toEqual([404, 'NOT_FOUND']);
  });
  it("returns 409 CONFLICT for a taken slug and accepts the section's own", async () => {
    const [one, two] = [await created(), await created()];
    expect(statusAndCode(await admin.put(`/sections/${two.slug}`, { slug: one.slug }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect((await admin.put(`/sections/${two.slug}`, { slug: two.slug })).status).toBe(200);
  });
  it('assigns a slug to one of 5 concurrent requests', async () => {
    const sections = await Promise.all(Array.from({ length: 5 }, () => created()));
    const responses = await Promise.all(
      sections.map(({ slug }) => admin.put(`/sections/${slug}`, { slug: 'wanted' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe('DELETE /sections/{slug}', () => {
  it('deletes a section once when 5 requests race', async () => {
    const { slug } = await created({ source: 'import' });
    const responses = await Promise.all(Array.from({ length: 5 }, () => admin.delete(`/sections/${slug}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(responses.find(({ status }) => status === 200)?.data).toEqual({ deleted: true });
    expect(statusAndCode(await admin.get(`/sections/${slug}`))).toEqual([404, 'NOT_FOUND']);
  });
  it('returns 404 NOT_FOUND for an unknown section', async () => {
    expect(statusAndCode(await admin.delete('/sections/nothing'))).toEqual([404, 'NOT_FOUND']);
  });
  it('returns 403 FORBIDDEN for a section of the theme and keeps it', async () => {
    const { slug } = await created();
    await site.sql("UPDATE sections SET source = 'theme' WHERE slug = $1", [slug]);
    expect(statusAndCode(await admin.delete(`/sections/${slug}`))).toEqual([403, 'FORBIDDEN']);
    expect((await get(slug)).source).toBe('theme');
  });
});
