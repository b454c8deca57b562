import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
const path = '/admin/byline-fields';

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => {
  for (const slug of await slugs()) await admin.delete(`${path}/${slug}`);
});

const slugs = async (): Promise<string[]> =>
  (await admin.get(path)).data.items.map(({ slug }: { slug: string }) => slug);
const create = (slug: string, more: object = {}) =>
  admin.post(path, { slug, label: slug, type: 'string', ...more });
let count = 0;
const byline = async (customFields: object) => {
  count += 1;
  const response = await admin.post('/admin/bylines', { slug: `p-${count}`, displayName: 'P', customFields });
  expect(statusAndCode(response)).toEqual([201, '']);
  return response.data;
};

describe('createBylineField', () => {
  it('is optional, translatable and the last one unless the input says otherwise', async () => {
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
    expect((await admin.get(`${path}/kind`)).data).toMatchObject(sent);
  });
  it.each(['string', 'text', 'url', 'boolean'])('may be a %s', async (type) => {
    expect((await create('one', { type })).data.type).toBe(type);
  });
  it('answers FIELD_EXISTS when there is one of its slug, and is made once of ten at once', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => create('twin')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'FIELD_EXISTS')).toHaveLength(9);
    expect(statusAndCode(await create('twin'))).toEqual([409, 'FIELD_EXISTS']);
  });
  it.each(['number', 'json', '', 'toString'])('answers INVALID_TYPE for the type %j', async (type) => {
    expect(statusAndCode(await create('one', { type }))).toEqual([400, 'INVALID_TYPE']);
  });
  it.each(
    'id slug display_name bio avatar_media_id website_url user_id is_guest locale translation_group created_at updated_at reorder'.split(
      ' ',
    ),
  )('cannot have the reserved slug %s', async (slug) => {
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
  ])('is refused with %s', async (_, body, place) => {
    const response = await create('one', body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', place]);
  });
});

describe('updateBylineField', () => {
  it('keeps what is not sent', async () => {
    const created = (await create('one', { type: 'select', validation: { options: ['a'] } })).data;
    const sent = { label: 'One', required: true, validation: { options: ['a', 'b'] }, sortOrder: 7 };
    const response = await admin.patch(`${path}/one`, sent);
    expect(response.data).toEqual({ ...created, ...sent, updatedAt: response.data.updatedAt });
    expect((await admin.patch(`${path}/one`, {})).status).toBe(200);
  });
  it.each<[object, string]>([
    [{ slug: 'two' }, ''],
    [{ type: 'text' }, ''],
    [{ label: '' }, 'label'],
    [{ validation: { options: ['a'] } }, 'validation.options'],
    [{ required: 1 }, 'required'],
  ])('is refused as %j', async (body, place) => {
    await create('one');
    const response = await admin.patch(`${path}/one`, body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', place]);
  });
  it('that is a select keeps its options', async () => {
    await create('one', { type: 'select', validation: { options: ['a'] } });
    expect(statusAndCode(await admin.patch(`${path}/one`, { validation: null }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
  it.each([true, false])(
    'of translatable %s is locked to that as soon as a value exists',
    async (translatable) => {
      await create('one', { translatable });
      const turn = (value: boolean) => admin.patch(`${path}/one`, { translatable: value });
      expect((await turn(!translatable)).data.translatable).toBe(!translatable);
      expect((await turn(translatable)).status).toBe(200);
      const { id } = await byline({ one: 'x' });
      expect(statusAndCode(await turn(!translatable))).toEqual([409, 'TRANSLATABLE_LOCKED']);
      expect((await turn(translatable)).status).toBe(200);
      await admin.put(`/admin/bylines/${id}`, { customFields: { one: null } });
      expect((await turn(!translatable)).status).toBe(200);
    },
  );
  it('never turns translatable under a value that is written at the same time', async () => {
    await create('one', { translatable: false });
    const { id } = await byline({});
    const [turned, written] = await Promise.all([
      admin.patch(`${path}/one`, { translatable: true }),
      admin.put(`/admin/bylines/${id}`, { customFields: { one: 'x' } }),
    ]);
    expect(written.status).toBe(200);
    const usage = (await admin.get(`${path}/one/usage`)).data;
    const expected = turned.status === 200 ? [1, 0] : [0, 1];
    expect([usage.translatableValueCount, usage.groupValueCount]).toEqual(expected);
  });
});

describe('getBylineFieldUsage', () => {
  it('counts values by locale, or by group for a field that all locales share', async () => {
    await create('own');
    await create('shared', { translatable: false });
    const first = await byline({ own: 'a', shared: 'a' });
    await byline({ own: 'b', shared: 'b' });
    const { id } = (await admin.post(`/admin/bylines/${first.id}/translations`, { locale: 'de' })).data;
    await admin.put(`/admin/bylines/${id}`, { customFields: { own: 'c' } });
    expect((await admin.get(`${path}/own/usage`)).data).toEqual({
      translatableValueCount: 3,
      groupValueCount: 0,
      totalAffectedRows: 3,
    });
    expect((await admin.get(`${path}/shared/usage`)).data).toEqual({
      translatableValueCount: 0,
      groupValueCount: 2,
      totalAffectedRows: 2,
    });
  });
});

describe('deleteBylineField', () => {
  it('takes its values along: a new one of the slug begins without', async () => {
    await create('own');
    await create('shared', { translatable: false });
    const { id } = await byline({ own: 'a', shared: 'b' });
    expect((await admin.delete(`${path}/own`)).data).toEqual({ deleted: true });
    expect((await admin.get(`/admin/bylines/${id}`)).data.customFields).toEqual({ shared: 'b' });
    await admin.delete(`${path}/shared`);
    await create('own');
    await create('shared', { translatable: false });
    expect((await admin.get(`/admin/bylines/${id}`)).data.customFields).toEqual({});
    expect((await admin.get(`${path}/shared/usage`)).data.totalAffectedRows).toBe(0);
  });
});

describe('an unknown byline field', () => {
  it('answers NOT_FOUND', async () => {
    const responses = [
      await admin.get(`${path}/nothing`),
      await admin.patch(`${path}/nothing`, { label: 'x' }),
      await admin.delete(`${path}/nothing`),
      await admin.get(`${path}/nothing/usage`),
    ];
    expect(responses.map(statusAndCode)).toEqual(Array(4).fill([404, 'NOT_FOUND']));
  });
});

describe('reorderBylineFields', () => {
  const reorder = (list: unknown) => admin.post(`${path}/reorder`, { slugs: list });

  it('is set by naming all of them', async () => {
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
    'answers REORDER_MISMATCH for %j of a, b, c',
    async (list) => {
      for (const slug of ['a', 'b', 'c']) await create(slug);
      expect(statusAndCode(await reorder(list))).toEqual([400, 'REORDER_MISMATCH']);
      expect(await slugs()).toEqual(['a', 'b', 'c']);
    },
  );
  it('is one of those that are set at once', async () => {
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
  it.each<unknown>([undefined, 'a', [1]])('is refused as %j', async (list) => {
    expect(statusAndCode(await reorder(list))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
