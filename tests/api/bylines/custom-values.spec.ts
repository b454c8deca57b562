import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, itemOf, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  const fields = [
    { slug: 'job', type: 'string' },
    { slug: 'story', type: 'text' },
    { slug: 'homepage', type: 'url', translatable: false },
    { slug: 'retired', type: 'boolean', translatable: false },
    { slug: 'desk', type: 'select', validation: { options: ['news', 'sport'] } },
  ];
  for (const field of fields)
    expect((await admin.post('/admin/byline-fields', { label: 'L', ...field })).status).toBe(201);
});

let count = 0;
const post = (customFields: unknown, more: object = {}) => {
  count += 1;
  return admin.post('/admin/bylines', { slug: `p-${count}`, displayName: 'P', customFields, ...more });
};
const put = (id: string, customFields: unknown) => admin.put(`/admin/bylines/${id}`, { customFields });
const valuesOf = async (id: string) => (await admin.get(`/admin/bylines/${id}`)).data.customFields;
const all = {
  job: 'Critic',
  story: 'Long',
  homepage: 'https://a.example/x',
  retired: false,
  desk: 'news',
};

describe('customFields of a byline', () => {
  it('are stored, and returned with entries that credit the byline', async () => {
    const { id, customFields } = (await post(all)).data;
    expect(customFields).toEqual(all);
    const entry = await createEntry(admin, 'posts', {}, { bylines: [{ bylineId: id }] });
    expect(itemOf(await admin.get(entry.path)).byline.customFields).toEqual(all);
  });
  it('are updated one by one; null clears a value', async () => {
    const { id } = (await post(all)).data;
    await put(id, { job: 'Editor', desk: null, retired: true });
    expect(await valuesOf(id)).toEqual({ ...all, job: 'Editor', retired: true, desk: undefined });
    await put(id, {});
    await admin.put(`/admin/bylines/${id}`, { bio: 'x' });
    expect(await valuesOf(id)).toEqual({ ...all, job: 'Editor', retired: true, desk: undefined });
  });
  it.each<[string, unknown]>([
    ['nothing', 'x'],
    ['constructor', 'x'],
    ['_slug', 'x'],
    ['display_name', 'x'],
    ['job', 5],
    ['job', true],
    ['job', {}],
    ['job', ['x']],
    ['job', 'a'.repeat(501)],
    ['job', 'a\u0000'],
    ['story', 'a'.repeat(10_001)],
    ['homepage', 'javascript:alert(1)'],
    ['homepage', '//evil.example'],
    ['homepage', 'a.example'],
    ['homepage', ''],
    ['retired', 'true'],
    ['retired', 1],
    ['desk', 'weather'],
    ['desk', 'News'],
    ['desk', ''],
  ])('return 400 for %s = %j, and change nothing', async (slug, value) => {
    const created = (await post(all)).data;
    const responses = [await put(created.id, { job: 'New', [slug]: value }), await post({ [slug]: value })];
    for (const response of responses)
      expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        `customFields.${slug}`,
      ]);
    expect((await admin.get(`/admin/bylines/${created.id}`)).data).toEqual(created);
  });
  it('return 400 with every invalid field', async () => {
    expect(issuePaths(await post({ retired: 'x', nothing: 'x', desk: 'x' })).sort()).toEqual([
      'customFields.desk',
      'customFields.nothing',
      'customFields.retired',
    ]);
  });
  it('share untranslatable values among all locales', async () => {
    const english = (await post(all)).data;
    const german = (await admin.post(`/admin/bylines/${english.id}/translations`, { locale: 'de' })).data;
    expect(german.customFields).toEqual({ homepage: all.homepage, retired: false });
    await put(german.id, { job: 'Kritiker', homepage: '/de', retired: null });
    expect(await valuesOf(german.id)).toEqual({ job: 'Kritiker', homepage: '/de' });
    expect(await valuesOf(english.id)).toEqual({ ...all, homepage: '/de', retired: undefined });
    const french = (await post({ homepage: '/fr' }, { locale: 'fr', translationOf: english.id })).data;
    expect(french.customFields).toEqual({ homepage: '/fr' });
    expect((await valuesOf(german.id)).homepage).toBe('/fr');
  });
  it('are all stored when writes in two locales race', async () => {
    const english = (await post({})).data;
    const german = (await admin.post(`/admin/bylines/${english.id}/translations`, { locale: 'de' })).data;
    await Promise.all([
      put(english.id, { homepage: '/a' }),
      put(german.id, { retired: true }),
      put(english.id, { job: 'A' }),
      put(english.id, { desk: 'news' }),
    ]);
    expect(await valuesOf(english.id)).toEqual({ homepage: '/a', retired: true, job: 'A', desk: 'news' });
  });
});

describe('a required custom field', () => {
  beforeAll(async () => {
    for (const [slug, translatable] of [
      ['own', true],
      ['shared', false],
    ] as const)
      await admin.post('/admin/byline-fields', {
        slug,
        label: slug,
        type: 'string',
        required: true,
        translatable,
      });
  });
  afterAll(async () => {
    for (const slug of ['own', 'shared']) await admin.delete(`/admin/byline-fields/${slug}`);
  });

  it('returns 400 when a new byline omits it', async () => {
    expect(issuePaths(await post(undefined))).toEqual(['customFields.own', 'customFields.shared']);
    expect(issuePaths(await post({ own: 'a', shared: null }))).toEqual(['customFields.shared']);
    expect((await post({ own: 'a', shared: 'b' })).status).toBe(201);
  });
  it('may be omitted from an update but not cleared', async () => {
    const { id } = (await post({ own: 'a', shared: 'b' })).data;
    expect((await put(id, { job: 'x' })).status).toBe(200);
    expect(issuePaths(await put(id, { own: null }))).toEqual(['customFields.own']);
  });
  it('takes an untranslatable value of a translation from the group', async () => {
    const { id } = (await post({ own: 'a', shared: 'b' })).data;
    const more = { locale: 'de', translationOf: id };
    expect(issuePaths(await post({}, more))).toEqual(['customFields.own']);
    expect((await post({ own: 'c' }, more)).data.customFields).toEqual({ own: 'c', shared: 'b' });
  });
});
