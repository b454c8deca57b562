import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
let count = 0;
/** A picture in the library. */
let picture: { id: string; url: string };

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  picture = (await uploadFile(admin, { bytes: await createImage(), type: 'image/png' })).data.item;
});
afterAll(() => site.close());

const create = (body: object = {}) => {
  count += 1;
  return admin.post('/sections', { slug: `section-${count}`, title: 'A title', content: [], ...body });
};
const made = async (body: object = {}) => (await create(body)).data;
const get = async (slug: string) => (await admin.get(`/sections/${slug}`)).data;
const refused = async (body: object, path: string) => {
  const answer = await create(body);
  expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', path]);
};
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const paragraph = { _type: 'block', _key: 'a', children: [{ _type: 'span', text: 'Ünï' }] };

describe('createSection', () => {
  it('answers 201 with every documented property, unset ones null', async () => {
    const answer = await admin.post('/sections', { slug: 'bare', title: 'Bare', content: [] });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
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
    expect(await get('bare')).toEqual(answer.data);
  });
  it('stores what is sent', async () => {
    const sent = {
      title: 'Call to action',
      description: 'Above the footer',
      keywords: ['cta', 'Über uns'],
      content: [paragraph, { _type: 'image', _key: 'b', asset: { id: 'x' }, deep: [[1, null, true]] }],
      previewMediaId: picture.id,
      source: 'import',
      themeId: 'plain',
    };
    expect(await made(sent)).toMatchObject({ ...sent, previewUrl: picture.url });
  });
  it('keeps the order of keys in blocks, and gives a block without a key one', async () => {
    const { slug } = await made({ content: [{ zebra: 1, _type: 'custom', apple: 2 }] });
    const [block] = (await get(slug)).content;
    expect(Object.keys(block).filter((key) => key !== '_key')).toEqual(['zebra', '_type', 'apple']);
    expect(block._key).toEqual(expect.any(String));
  });
  it.each(['a', '0', 'a-b-1', '-', 'x'.repeat(200)])('takes the slug %j', async (slug) => {
    expect((await create({ slug })).status).toBe(201);
  });
  it.each(['', 'Hero', 'a b', 'a_b', 'a/b', 'ä', 'a\n', 'x'.repeat(201)])(
    'refuses the slug %j',
    async (slug) => {
      const answer = await create({ slug });
      expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(new Set(issuePaths(answer))).toEqual(new Set(['slug']));
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
  ])('names %s as wrong', async (path, body) => {
    await refused(body, path);
  });
  it('drops keys that it does not know', async () => {
    expect(await made({ locale: 'de', id: 'mine' })).not.toHaveProperty('locale');
  });
  it('answers 409 CONFLICT for a taken slug, of ten at once for nine', async () => {
    await create({ slug: 'taken' });
    expect(statusAndCode(await create({ slug: 'taken' }))).toEqual([409, 'CONFLICT']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ slug: 'raced' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('getSection', () => {
  it.each(['nothing', 'x'.repeat(500), 'Ä'])('answers 404 NOT_FOUND for %s', async (slug) => {
    expect(statusAndCode(await admin.get(`/sections/${encodeURIComponent(slug)}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
  it('answers 400 for a slug that no text column can hold', async () => {
    expect(statusAndCode(await admin.get('/sections/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('updateSection', () => {
  it('changes what is sent and nothing else', async () => {
    const before = await made({ description: 'Old', keywords: ['a'], content: [paragraph] });
    const answer = await admin.put(`/sections/${before.slug}`, { title: 'New' });
    expect(answer.data).toEqual({ ...before, title: 'New', updatedAt: expect.stringMatching(instant) });
    expect(await get(before.slug)).toEqual(answer.data);
  });
  it('changes every property that may change', async () => {
    const { slug } = await made();
    const sent = {
      slug: 'renamed',
      title: 'New',
      description: 'New too',
      keywords: ['b', 'c'],
      content: [paragraph],
      previewMediaId: picture.id,
    };
    expect((await admin.put(`/sections/${slug}`, sent)).data).toMatchObject(sent);
    expect(statusAndCode(await admin.get(`/sections/${slug}`))).toEqual([404, 'NOT_FOUND']);
    expect(await get('renamed')).toMatchObject(sent);
  });
  it('clears a description and a preview with null, and lists with empty ones', async () => {
    const { slug } = await made({
      description: 'Old',
      previewMediaId: picture.id,
      keywords: ['a'],
      content: [paragraph],
    });
    const cleared = { description: null, previewMediaId: null, keywords: [], content: [] };
    expect((await admin.put(`/sections/${slug}`, cleared)).data).toMatchObject(cleared);
  });
  it('stays readable, and can be changed, when its preview is deleted', async () => {
    const { item: doomed } = (await uploadFile(admin, { bytes: await createImage(), type: 'image/png' }))
      .data;
    const { slug } = await made({ previewMediaId: doomed.id });
    expect((await get(slug)).previewUrl).toBe(doomed.url);
    expect((await admin.delete(`/media/${doomed.id}`)).status).toBe(200);
    const answer = await admin.get(`/sections/${slug}`);
    expect([answer.status, answer.data]).toMatchObject([200, { slug, previewMediaId: doomed.id }]);
    expect(answer.data).not.toHaveProperty('previewUrl');
    expect((await admin.put(`/sections/${slug}`, { title: 'New' })).data).toMatchObject({ title: 'New' });
  });
  it('never changes the source of a section', async () => {
    const { slug } = await made({ source: 'import', themeId: 't' });
    const answer = await admin.put(`/sections/${slug}`, { source: 'user', themeId: 'u' });
    expect(answer.data).toMatchObject({ source: 'import', themeId: 't' });
  });
  it.each([
    ['slug', { slug: 'Not a slug' }],
    ['title', { title: null }],
    ['content.0._type', { content: [{}] }],
    ['keywords', { keywords: null }],
  ])('names %s as wrong', async (path, body) => {
    const { slug } = await made();
    const answer = await admin.put(`/sections/${slug}`, body);
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
  it('answers 404 NOT_FOUND for an unknown section', async () => {
    expect(statusAndCode(await admin.put('/sections/nothing', { title: 'x' }))).toEqual([404, 'NOT_FOUND']);
  });
  it('answers 409 CONFLICT for a taken slug, and takes its own', async () => {
    const [one, two] = [await made(), await made()];
    expect(statusAndCode(await admin.put(`/sections/${two.slug}`, { slug: one.slug }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect((await admin.put(`/sections/${two.slug}`, { slug: two.slug })).status).toBe(200);
  });
  it('gives a slug to one of five concurrent requests', async () => {
    const sections = await Promise.all(Array.from({ length: 5 }, () => made()));
    const answers = await Promise.all(
      sections.map(({ slug }) => admin.put(`/sections/${slug}`, { slug: 'wanted' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe('deleteSection', () => {
  it('deletes a section once when 5 requests race', async () => {
    const { slug } = await made({ source: 'import' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.delete(`/sections/${slug}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(answers.find(({ status }) => status === 200)?.data).toEqual({ deleted: true });
    expect(statusAndCode(await admin.get(`/sections/${slug}`))).toEqual([404, 'NOT_FOUND']);
  });
  it('answers 404 NOT_FOUND for an unknown section', async () => {
    expect(statusAndCode(await admin.delete('/sections/nothing'))).toEqual([404, 'NOT_FOUND']);
  });
  it('answers 403 FORBIDDEN for a section of the theme, which stays', async () => {
    const { slug } = await made();
    await site.sql("UPDATE sections SET source = 'theme' WHERE slug = $1", [slug]);
    expect(statusAndCode(await admin.delete(`/sections/${slug}`))).toEqual([403, 'FORBIDDEN']);
    expect((await get(slug)).source).toBe('theme');
  });
});
