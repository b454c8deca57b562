import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
const fields = '/admin/byline-fields';

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => {
  for (const slug of await slugs()) await admin.delete(`${fields}/${slug}`);
});

const slugs = async (): Promise<string[]> =>
  (await admin.get(fields)).data.items.map(({ slug }: { slug: string }) => slug);
const create = (slug: string, more: object = {}) =>
  admin.post(fields, { slug, label: slug, type: 'string', ...more });
let count = 0;
const byline = async (customFields: object) => {
  count += 1;
  const response = await admin.post('/admin/bylines', { slug: `p-${count}`, displayName: 'P', customFields });
  expect(statusAndCode(response)).toEqual([201, '']);
  return response.data;
};

describe('POST /admin/byline-fields', () => {
  it('creates an optional, translatable, last field unless the body says otherwise', async () => {
    const response = await create('job_title', { label: 'Job title' });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      id: expect.any(String),
      slug: 'job_title',
      label: 'Job title',
      type: 'string',
      required: false,
      translatable: true,
      validation: null,
      sortOrder: 0,
      createdAt: expect.any(String),
      updatedAt: response.data.createdAt,
    });
    expect((await create('next')).data.sortOrder).toBe(1);
    const choices = { options: ['a', 'b'] };
    const sent = { type: 'select', required: true, translatable: false, validation: choices, sortOrder: 0 };
    expect((await create('kind', sent)).data).toMatchObject(sent);
    expect(await slugs()).toEqual(['job_title', 'kind', 'next']);
    expect((await admin.get(`${fields}/kind`)).data).toMatchObject(sent);
  });
  it.each(['string', 'text', 'url', 'boolean'])('accepts the type %s', async (type) => {
    expect((await create('one', { type })).data.type).toBe(type);
  });
  it('returns 409 FIELD_EXISTS for a taken slug, and creates one field when 10 requests race', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => create('twin')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'FIELD_EXISTS')).toHaveLength(9);
    expect(statusAndCode(await create('twin'))).toEqual([409, 'FIELD_EXISTS']);
  });
  it.each(['number', 'json', '', 'toString'])('returns 400 INVALID_TYPE for the type %j', async (type) => {
    expect(statusAndCode(await create('one', { type }))).toEqual([400, 'INVALID_TYPE']);
  });
  it.each(
    'id slug display_name bio avatar_media_id website_url user_id is_guest locale translation_group created_at updated_at reorder'.split(
      ' ',
    ),
  )('returns 400 for the reserved slug %s', async (slug) => {
    const response = await create(slug);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', 'slug']);
  });
  it.each<[string, object, string]>([
    ['a slug with a hyphen', { slug: 'a-b' }, 'slug'],
    ['a slug in capitals', { slug: 'Ab' }, 'slug'],
    ['too long a slug', { slug: 'a'.repeat(64) }, 'slug'],
    ['a blank label', { label: ' ' }, 'label'],
    ['too long a label', { label: 'a'.repeat(201) }, 'label'],
    ['no type', { type: undefined }, 'type'],
    ['a select without options', { type: 'select' }, 'validation.options'],
    [
      'a select with no options at all',
      { type: 'select', validation: { options: [] } },
      'validation.options',
    ],
    ['an option twice', { type: 'select', validation: { options: ['a', 'a'] } }, 'validation.options'],
    [
      'too many options',
      { type: 'select', validation: { options: Array.from({ length: 201 }, (_, index) => `o${index}`) } },
      'validation.options',
    ],
    ['options on another type', { validation: { options: ['a'] } }, 'validation.options'],
    ['another rule', { validation: { pattern: 'a' } }, 'validation'],
    ['a negative position', { sortOrder: -1 }, 'sortOrder'],
    ['an unknown key', { unique: true }, ''],
  ])('returns 400 for %s', async (_, body, path) => {
    const response = await create('one', body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
});

describe('PATCH /admin/byline-fields/{slug}', () => {
  it('updates only the submitted properties', async () => {
    const created = (await create('one', { type: 'select', validation: { options: ['a'] } })).data;
    const sent = { label: 'One', required: true, validation: { options: ['a', 'b'] }, sortOrder: 7 };
    const response = await admin.patch(`${fields}/one`, sent);
    expect(response.data).toEqual({ ...created, ...sent, updatedAt: response.data.updatedAt });
    expect((await admin.patch(`${fields}/one`, {})).status).toBe(200);
  });
  it.each<[object, string]>([
    [{ slug: 'two' }, ''],
    [{ type: 'text' }, ''],
    [{ label: '' }, 'label'],
    [{ validation: { options: ['a'] } }, 'validation.options'],
    [{ required: 1 }, 'required'],
  ])('returns 400 for %j', async (body, path) => {
    await create('one');
    const response = await admin.patch(`${fields}/one`, body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
  it('returns 400 when a select would lose its options', async () => {
    await create('one', { type: 'select', validation: { options: ['a'] } });
    expect(statusAndCode(await admin.patch(`${fields}/one`, { validation: null }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
  it.each([true, false])(
    'returns 409 TRANSLATABLE_LOCKED when translatable: %s changes while a value exists',
    async (translatable) => {
      await create('one', { translatable });
      const setTranslatable = (value: boolean) => admin.patch(`${fields}/one`, { translatable: value });
      expect((await setTranslatable(!translatable)).data.translatable).toBe(!translatable);
      expect((await setTranslatable(translatable)).status).toBe(200);
      const { id } = await byline({ one: 'x' });
      expect(statusAndCode(await setTranslatable(!translatable))).toEqual([409, 'TRANSLATABLE_LOCKED']);
      expect((await setTranslatable(translatable)).status).toBe(200);
      await admin.put(`/admin/bylines/${id}`, { customFields: { one: null } });
      expect((await setTranslatable(!translatable)).status).toBe(200);
    },
  );
  it('keeps values in the right table when it races with a write of a value', async () => {
    await create('one', { translatable: false });
    const { id } = await byline({});
    const [updated, written] = await Promise.all([
      admin.patch(`${fields}/one`, { translatable: true }),
      admin.put(`/admin/bylines/${id}`, { customFields: { one: 'x' } }),
    ]);
    expect(written.status).toBe(200);
    const usage = (await admin.get(`${fields}/one/usage`)).data;
    const expected = updated.status === 200 ? [1, 0] : [0, 1];
    expect([usage.translatableValueCount, usage.groupValueCount]).toEqual(expected);
  });
});

describe('GET /admin/byline-fields/{slug}/usage', () => {
  it('counts values per locale, or per group for an untranslatable field', async () => {
    await create('own');
    await create('shared', { translatable: false });
    const first = await byline({ own: 'a', shared: 'a' });
    await byline({ own: 'b', shared: 'b' });
    const { id } = (await admin.post(`/admin/bylines/${first.id}/translations`, { locale: 'de' })).data;
    await admin.put(`/admin/bylines/${id}`, { customFields: { own: 'c' } });
    expect((await admin.get(`${fields}/own/usage`)).data).toEqual({
      translatableValueCount: 3,
      groupValueCount: 0,
      totalAffectedRows: 3,
    });
    expect((await admin.get(`${fields}/shared/usage`)).data).toEqual({
      translatableValueCount: 0,
      groupValueCount: 2,
      totalAffectedRows: 2,
    });
  });
});

describe('DELETE /admin/byline-fields/{slug}', () => {
  it('deletes the values; a new field of the same slug has none', async () => {
    await create('own');
    await create('shared', { translatable: false });
    const { id } = await byline({ own: 'a', shared: 'b' });
    expect((await admin.delete(`${fields}/own`)).data).toEqual({ deleted: true });
    expect((await admin.get(`/admin/bylines/${id}`)).data.customFields).toEqual({ shared: 'b' });
    await admin.delete(`${fields}/shared`);
    await create('own');
    await create('shared', { translatable: false });
    expect((await admin.get(`/admin/bylines/${id}`)).data.customFields).toEqual({});
    expect((await admin.get(`${fields}/shared/usage`)).data.totalAffectedRows).toBe(0);
  });
});

describe('an unknown byline field slug', () => {
  it('returns 404 NOT_FOUND', async () => {
    const responses = [
      await admin.get(`${fields}/nothing`),
      await admin.patch(`${fields}/nothing`, { label: 'x' }),
      await admin.delete(`${fields}/nothing`),
      await admin.get(`${fields}/nothing/usage`),
    ];
    expect(responses.map(statusAndCode)).toEqual(Array(4).fill([404, 'NOT_FOUND']));
  });
});

describe('POST /admin/byline-fields/reorder', () => {
  const reorder = (list: unknown) => admin.post(`${fields}/reorder`, { slugs: list });

  it('applies an order that names every field', async () => {
    for (const slug of ['a', 'b', 'c']) await create(slug);
    const response = await reorder(['c', 'a', 'b']);
    const order = response.data.items.map(({ slug, sortOrder }: Record<string, unknown>) => [
      slug,
      sortOrder,
    ]);
    expect(order).toEqual([
      ['c', 0],
      ['a', 1],
      ['b', 2],
    ]);
    expect(await slugs()).toEqual(['c', 'a', 'b']);
  });
  it.each([[['a']], [['a', 'b', 'x']], [['a', 'b', 'b']], [['a', 'b', 'c', 'x']], [[]]])(
    'returns 400 REORDER_MISMATCH for %j of a, b, c',
    async (list) => {
      for (const slug of ['a', 'b', 'c']) await create(slug);
      expect(statusAndCode(await reorder(list))).toEqual([400, 'REORDER_MISMATCH']);
      expect(await slugs()).toEqual(['a', 'b', 'c']);
    },
  );
  it('applies one of 3 orders when they race', async () => {
    for (const slug of ['a', 'b', 'c']) await create(slug);
    const orders = [
      ['c', 'b', 'a'],
      ['b', 'c', 'a'],
      ['a', 'c', 'b'],
    ];
    const responses = await Promise.all(orders.map(reorder));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(orders).toContainEqual(await slugs());
  });
  it.each<unknown>([undefined, 'a', [1]])('returns 400 for %j', async (list) => {
    expect(statusAndCode(await reorder(list))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
