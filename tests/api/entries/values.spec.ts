import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client, type FieldInput } from '@quire/testing';

/** A valid value of a field, the value that is returned for it, and an invalid value with its path. */
interface Sample {
  field: FieldInput;
  sent: unknown;
  stored: unknown;
  invalid: unknown;
  path?: string;
}

const samples: Sample[] = [
  {
    field: { slug: 'f_string', type: 'string', validation: { maxLength: 9 } },
    sent: '{"a":1}',
    stored: '{"a":1}',
    invalid: 'ten letters',
  },
  {
    field: { slug: 'f_text', type: 'text' },
    sent: 'line\nline\u2028',
    stored: 'line\nline\u2028',
    invalid: 5,
  },
  {
    field: { slug: 'f_url', type: 'url' },
    sent: 'HTTP://A.example/ä',
    stored: 'HTTP://A.example/ä',
    invalid: 'javascript:alert(1)',
  },
  {
    field: { slug: 'f_number', type: 'number', validation: { max: 1e300 } },
    sent: 0.1,
    stored: 0.1,
    invalid: '0.1',
  },
  {
    field: { slug: 'f_integer', type: 'integer' },
    sent: 9007199254740991,
    stored: 9007199254740991,
    invalid: 5.5,
  },
  { field: { slug: 'f_boolean', type: 'boolean' }, sent: false, stored: false, invalid: 'true' },
  {
    field: { slug: 'f_datetime', type: 'datetime' },
    sent: '2025-01-24T13:00:00.1239+01:00',
    stored: '2025-01-24T12:00:00.123Z',
    invalid: '2025-01-24T12:00:00',
  },
  {
    field: { slug: 'f_select', type: 'select', validation: { options: ['a', 'b'] } },
    sent: 'b',
    stored: 'b',
    invalid: 'B',
  },
  {
    field: { slug: 'f_multi', type: 'multiSelect', validation: { options: ['a', 'b'] } },
    sent: ['b', 'a'],
    stored: ['b', 'a'],
    invalid: ['a', 'c'],
    path: 'f_multi.1',
  },
  {
    field: { slug: 'f_rich', type: 'portableText' },
    sent: [{ _type: 'block', children: [{ _type: 'span', text: 'x' }] }],
    stored: [{ _type: 'block', _key: 'k0', children: [{ _type: 'span', text: 'x' }] }],
    invalid: [{ text: 'no type' }],
    path: 'f_rich.0._type',
  },
  {
    field: { slug: 'f_image', type: 'image' },
    sent: 'https://example.org/a.png',
    stored: { provider: 'external', id: '', src: 'https://example.org/a.png' },
    invalid: { src: '/a.png' },
    path: 'f_image.id',
  },
  {
    field: { slug: 'f_file', type: 'file' },
    sent: { provider: 'cloud', id: 'f1', filename: 'a.pdf', other: 1 },
    stored: { provider: 'cloud', id: 'f1', filename: 'a.pdf' },
    invalid: 'f1',
  },
  {
    field: { slug: 'f_reference', type: 'reference' },
    sent: 'some-id',
    stored: 'some-id',
    invalid: ['some-id'],
  },
  {
    field: { slug: 'f_json', type: 'json' },
    sent: { b: 1, a: [null, 'ü', { deep: true }] },
    stored: { b: 1, a: [null, 'ü', { deep: true }] },
    invalid: { a: 'x\u0000' },
    path: 'f_json.a',
  },
  { field: { slug: 'f_slug', type: 'slug' }, sent: 'Not Cleaned /', stored: 'Not Cleaned /', invalid: false },
  {
    field: {
      slug: 'f_rows',
      type: 'repeater',
      validation: {
        subFields: [
          { slug: 'when', type: 'datetime', label: 'When' },
          { slug: 'shown', type: 'boolean', label: 'Shown' },
          { slug: 'link', type: 'url', label: 'Link', required: true },
        ],
      },
    },
    sent: [{ link: '/a', when: '2025-01-24T12:00Z', shown: 1 }],
    stored: [{ link: '/a', when: '2025-01-24T12:00:00.000Z', shown: true }],
    invalid: [{ link: '/a' }, { link: '/b', colour: 'red' }],
    path: 'f_rows.1.colour',
  },
];

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'things', fields: samples.map(({ field }) => field) });
  await site.collection({
    slug: 'strict',
    fields: [
      { slug: 'title', type: 'string', required: true },
      { slug: 'rank', type: 'integer', required: true },
      { slug: 'link', type: 'url' },
    ],
  });
  await site.collection({
    slug: 'words',
    fields: [
      { slug: 'constructor', type: 'string' },
      { slug: 'locale', type: 'string' },
      { slug: 'translation_group', type: 'string' },
      { slug: 'select', type: 'string', indexed: true },
      { slug: 'f'.repeat(63), type: 'string' },
    ],
  });
});

const things = (data: unknown) => admin.post('/content/things', { data });
const countOf = async (slug: string) => (await admin.get(`/content/${slug}?limit=1`)).data.total as number;

describe.each(samples)('a $field.type field', ({ field: { slug }, sent, stored, invalid, path }) => {
  it('accepts a value on create and update and returns it normalised, staged and live', async () => {
    const created = await things({ [slug]: sent });
    expect([created.status, created.data?.item.data[slug]]).toEqual([201, stored]);
    const { id } = created.data.item;
    await admin.put(`/content/things/${id}`, { data: { [slug]: null } });
    expect(
      (await admin.put(`/content/things/${id}`, { data: { [slug]: sent } })).data.item.data[slug],
    ).toEqual(stored);
    await admin.put(`/content/things/${id}`, { slug: `of-${id.toLowerCase()}` });
    const live = await admin.post(`/content/things/${id}/publish`);
    expect([live.status, live.data?.item.data[slug]]).toEqual([200, stored]);
    expect((await admin.get(`/content/things/${id}`)).data.item.data[slug]).toEqual(stored);
  });
  it('returns 400 with the path for an invalid value on create and update', async () => {
    const before = await countOf('things');
    const rejection = await things({ [slug]: invalid });
    expect(statusAndCode(rejection)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(rejection)[0]).toContain(path ?? slug);
    expect(await countOf('things')).toBe(before);
    const { item } = (await things({})).data;
    expect(
      statusAndCode(await admin.put(`/content/things/${item.id}`, { data: { [slug]: invalid } })),
    ).toEqual([400, 'VALIDATION_ERROR']);
    expect((await admin.get(`/content/things/${item.id}`)).data.item).toEqual(item);
  });
  it('is cleared by null', async () => {
    const { item } = (await things({ [slug]: sent })).data;
    const { data } = (await admin.put(`/content/things/${item.id}`, { data: { [slug]: null } })).data.item;
    expect(data).not.toHaveProperty(slug);
  });
});

describe('data of POST and PUT /content/{collection}', () => {
  it('returns 400 with every problem in the message and in details.issues', async () => {
    const response = await admin.post('/content/strict', {
      data: { title: '', link: 'nowhere', colour: 'red' },
    });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(new Set(issuePaths(response))).toEqual(new Set(['title', 'link', 'colour', 'rank']));
    for (const path of ['title', 'link', 'colour', 'rank'])
      expect(response.error.message).toContain(`${path}: `);
    expect(response.error.message.split('; ')).toHaveLength(4);
  });
  it('may omit required fields in an update but not clear them', async () => {
    const { item } = (await admin.post('/content/strict', { data: { title: 'T', rank: 1 } })).data;
    expect((await admin.put(`/content/strict/${item.id}`, { data: { link: '/x' } })).status).toBe(200);
    for (const title of [null, '']) {
      const response = await admin.put(`/content/strict/${item.id}`, { data: { title } });
      expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        'title',
      ]);
    }
  });
  it('ignores keys that start with an underscore', async () => {
    const { item } = (
      await admin.post('/content/strict', { data: { title: 'Title', rank: 1, _note: 'x', _slug: 'y' } })
    ).data;
    expect([item.data, item.slug]).toEqual([{ title: 'Title', rank: 1 }, 'title']);
    const changed = (
      await admin.put(`/content/strict/${item.id}`, { data: { rank: 2, _slug: 'z', _rev: 'q' } })
    ).data.item;
    expect(changed.data).toEqual({ title: 'Title', rank: 2 });
    expect((await admin.post(`/content/strict/${item.id}/publish`)).data.item.slug).toBe('title');
  });
  it.each([
    ['nothing', {}],
    ['null', { data: null }],
    ['a list', { data: [] }],
    ['a text', { data: 'x' }],
  ])('returns 400 for %s', async (_name, body) => {
    const response = await admin.post('/content/things', body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['data']);
  });
  it('keeps the key order of json values, and strings that contain JSON', async () => {
    const text = '{"data":{"f_json":{"z":1,"a":{"y":1.0,"b":2}},"f_string":"[1]"}}';
    const raw = { rawBody: text, headers: { 'content-type': 'application/json' } };
    const { item } = (await admin.post('/content/things', undefined, raw)).data;
    expect(JSON.stringify(item.data.f_json)).toBe('{"z":1,"a":{"y":1,"b":2}}');
    expect(item.data.f_string).toBe('[1]');
  });
  it.each([true, 0, '', 'text', [1], []])('accepts %j in a json field', async (value) => {
    const { item } = (await things({ f_json: value })).data;
    expect((await admin.get(`/content/things/${item.id}`)).data.item.data.f_json).toEqual(value);
  });
  it.each([
    [0, false],
    [1, true],
  ])('stores %j in a boolean field as %j, staged and live', async (sent, expected) => {
    const { item } = (await things({ f_boolean: sent })).data;
    expect(item.data.f_boolean).toBe(expected);
    const changed = await admin.put(`/content/things/${item.id}`, {
      data: { f_boolean: 1 - sent },
      slug: item.id,
    });
    expect(changed.data.item.data.f_boolean).toBe(!expected);
    expect((await admin.post(`/content/things/${item.id}/publish`)).data.item.data.f_boolean).toBe(!expected);
  });
  it.each([2, -1, 0.5, '0', '1', 'true', []])('returns 400 for %j in a boolean field', async (value) => {
    expect(statusAndCode(await things({ f_boolean: value }))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it.each([
    ['U+0000 in a string', { f_string: 'a\u0000' }],
    ['U+0000 in a json key', { f_json: { 'a\u0000': 1 } }],
    ['U+0000 in rich text', { f_rich: [{ _type: 'block', text: '\u0000' }] }],
    ['half a surrogate pair in a text', { f_text: '\ud83d' }],
    ['half a surrogate pair in a row', { f_rows: [{ link: '/\udc00' }] }],
    ['an infinite number', '{"f_number":1e999}'],
    ['an unsafe integer', { f_integer: 9007199254740992 }],
  ])('returns 400 for %s', async (_name, data) => {
    const rawBody = `{"data":${typeof data === 'string' ? data : JSON.stringify(data)}}`;
    const response = await admin.post('/content/things', undefined, {
      rawBody,
      headers: { 'content-type': 'application/json' },
    });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('accepts json values of 64 levels, and returns 400 for deeper ones', async () => {
    const nested = (depth: number) => `{"data":{"f_json":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const send = (depth: number) =>
      admin.post('/content/things', undefined, {
        rawBody: nested(depth),
        headers: { 'content-type': 'application/json' },
      });
    expect((await send(64)).status).toBe(201);
    for (const depth of [65, 99, 5_000, 200_000])
      expect(statusAndCode(await send(depth))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('accepts fields with names that SQL and JavaScript use, of up to 63 letters', async () => {
    const long = 'f'.repeat(63);
    const created = await admin.post('/content/words', { data: { select: 'a' }, slug: 'words' });
    expect([created.status, created.data?.item.data]).toEqual([201, { select: 'a' }]);
    const { id } = created.data.item;
    const values = { constructor: 'c', locale: 'l', translation_group: 't', select: 's', [long]: 'x' };
    await admin.put(`/content/words/${id}`, { data: { select: 'b' } });
    expect((await admin.post(`/content/words/${id}/publish`)).data.item.data).toEqual({ select: 'b' });
    await admin.put(`/content/words/${id}`, { data: values });
    expect((await admin.post(`/content/words/${id}/publish`)).data.item).toMatchObject({
      data: values,
      locale: 'en',
    });
    expect(
      (await admin.get('/content/words?orderBy=select&fieldFilters={"select":"s"}')).data.items,
    ).toHaveLength(1);
    expect((await admin.post(`/content/words/${id}/duplicate`)).status).toBe(201);
  });
});

describe('body of POST /content/{collection}', () => {
  const json = { 'content-type': 'application/json' };
  it.each(['{"data":', 'data', '{"data":{}} x', "{'data':{}}", '\u0000'])(
    'returns 400 INVALID_JSON for %j',
    async (rawBody) => {
      expect(
        statusAndCode(await admin.post('/content/things', undefined, { rawBody, headers: json })),
      ).toEqual([400, 'INVALID_JSON']);
    },
  );
  it('returns 400 INVALID_JSON without a body', async () => {
    expect(statusAndCode(await admin.post('/content/things'))).toEqual([400, 'INVALID_JSON']);
    expect(statusAndCode(await admin.post('/content/things', undefined, { headers: json }))).toEqual([
      400,
      'INVALID_JSON',
    ]);
  });
  it.each(['[]', '"x"', '5', 'null', 'true'])('returns 400 VALIDATION_ERROR for %s', async (rawBody) => {
    const response = await admin.post('/content/things', undefined, { rawBody, headers: json });
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], ['']]);
  });
  it('returns 400 VALIDATION_ERROR for null, also where a body is optional', async () => {
    const { id } = (await admin.post('/content/things', { data: {}, slug: 'nobody' })).data.item;
    for (const rawBody of ['null', '[]']) {
      const response = await admin.post(`/content/things/${id}/publish`, undefined, {
        rawBody,
        headers: json,
      });
      expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], ['']]);
    }
    expect((await admin.post(`/content/things/${id}/publish`)).status).toBe(200);
  });
  it('returns 400 for a __proto__ key', async () => {
    for (const rawBody of [
      '{"data":{},"__proto__":{"status":"published"}}',
      '{"data":{"__proto__":{"f_string":"x"}}}',
      '{"data":{"f_json":{"__proto__":{"polluted":true}}}}',
    ]) {
      const response = await admin.post('/content/things', undefined, { rawBody, headers: json });
      expect(response.status).toBe(400);
    }
    expect({}).not.toHaveProperty('polluted');
  });
  it.each([
    ['with Content-Length', (text: string) => text],
    ['without Content-Length', (text: string) => Readable.from(text.match(/.{1,65536}/gs) ?? [])],
  ])('returns 413 PAYLOAD_TOO_LARGE for more than 10 MiB and stores nothing, %s', async (_name, bodyOf) => {
    const before = await countOf('things');
    const text = JSON.stringify({ data: { f_text: 'x'.repeat(10 * 1024 * 1024) } });
    const response = await admin.post('/content/things', undefined, { rawBody: bodyOf(text), headers: json });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await countOf('things')).toBe(before);
  });
  it('accepts 9 MiB', async () => {
    const text = 'x'.repeat(9 * 1024 * 1024);
    const { item } = (await things({ f_text: text })).data;
    expect(item.data.f_text).toHaveLength(text.length);
  });
  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
  ])('returns 415 for the content type %s', async (type) => {
    const response = await admin.post('/content/things', { data: {} }, { headers: { 'content-type': type } });
    expect(statusAndCode(response)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(response.body).toMatchObject({ success: false });
  });
  it('accepts a charset in the content type', async () => {
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    expect((await admin.post('/content/things', { data: {} }, { headers })).status).toBe(201);
  });
});
