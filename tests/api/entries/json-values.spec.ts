import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type ApiResponse, type Client } from '@quire/testing';

/** JSON that does not survive a round trip through the numbers and objects of JavaScript. */
const exact =
  '{"10":12345678901234567890,"9":{"b":-0.10,"a":1E+2},"z":[9007199254740993,"\\u00fc","<\\/p>"],"1":null}';
const other = '[100000000000000000000000000000000000001, {"2":1,"1":2}]';
const headers = { 'content-type': 'application/json' };

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  const fields = [
    { slug: 'title', type: 'string' },
    { slug: 'extra', type: 'json' },
    { slug: 'shared', type: 'json', translatable: false },
    { slug: 'many', type: 'portableText' },
  ] as const;
  await site.collection({ slug: 'posts', fields: [...fields] });
  await site.collection({ slug: 'plain', supports: [], fields: [...fields] });
});

const create = (data: string, more = '', collection = 'posts') =>
  admin.post(`/content/${collection}`, undefined, { rawBody: `{"data":${data}${more}}`, headers });
const update = (path: string, data: string) =>
  admin.put(path, undefined, { rawBody: `{"data":${data}}`, headers });

async function createExact(data = `{"title":"T","extra":${exact}}`, collection = 'posts') {
  const created = await create(data, '', collection);
  expect([created.status, created.error.message]).toEqual([201, '']);
  return {
    id: created.data.item.id as string,
    path: `/content/${collection}/${created.data.item.id}`,
    created,
  };
}

/** How often a response contains a value in exactly this notation. */
const countOf = ({ text }: ApiResponse, value: string, field = 'extra') =>
  text.split(`"${field}":${value}`).length - 1;

describe.each(['posts', 'plain'])('a json value of an entry of the collection %s', (collection) => {
  it('is returned as submitted by create, update, publish, get, list, trash, restore and duplicate', async () => {
    const { path, id, created } = await createExact(undefined, collection);
    expect(countOf(created, exact)).toBe(1);
    expect(countOf(await admin.get(path), exact)).toBe(1);
    expect(countOf(await update(path, `{"extra":${other}}`), other)).toBe(1);
    expect(countOf(await update(path, '{"title":"Another"}'), other)).toBe(1);
    expect(countOf(await admin.post(`${path}/publish`), other)).toBe(1);
    expect(countOf(await admin.get(path), other)).toBe(1);
    expect(countOf(await admin.get(`/content/${collection}?limit=100`), other)).toBe(1);
    expect(countOf(await admin.post(`${path}/unpublish`), other)).toBeGreaterThan(0);
    await admin.delete(path);
    expect(countOf(await admin.get(`/content/${collection}/trash`), other)).toBe(1);
    expect(countOf(await admin.post(`/content/${collection}/${id}/restore`), other)).toBeGreaterThan(0);
    expect(countOf(await admin.post(`${path}/duplicate`), other)).toBe(1);
  });
});

describe('a json value', () => {
  it('is returned as submitted in live and staged versions', async () => {
    const { path } = await createExact();
    await admin.post(`${path}/publish`);
    for (const response of [
      await update(path, `{"extra":${other},"many":[{"_type":"a","n":1.50}]}`),
      await admin.get(path),
      await admin.get(`${path}/compare`),
    ])
      expect([countOf(response, exact), countOf(response, other)]).toEqual([1, 1]);
    expect(countOf(await admin.post(`${path}/discard-draft`), exact)).toBe(1);
  });

  it('is stored as submitted in revisions and restored from them', async () => {
    const { path } = await createExact();
    await update(path, `{"extra":${exact},"title":"First"}`);
    await update(path, `{"extra":${other}}`);
    await update(path, '{"extra":null}');
    const listed = await admin.get(`${path}/revisions`);
    expect([countOf(listed, exact), countOf(listed, other)]).toEqual([1, 1]);
    const [, second, first] = listed.data.items as { id: string }[];
    expect(countOf(await admin.get(`/revisions/${second?.id}`), other)).toBe(1);
    expect(countOf(await admin.post(`/revisions/${first?.id}/restore`), exact)).toBeGreaterThan(0);
    expect(countOf(await admin.post(`${path}/publish`), exact)).toBe(1);
  });

  it('of an untranslatable field is copied as submitted to all translations and their drafts', async () => {
    const { id, path } = await createExact(`{"title":"T","shared":${exact}}`);
    const german = await create('{"title":"D"}', `,"locale":"de","translationOf":"${id}"`);
    expect(countOf(german, exact, 'shared')).toBe(1);
    const germanPath = `/content/posts/${german.data.item.id}`;
    await update(germanPath, '{"title":"Neu"}');
    await update(path, `{"shared":${other}}`);
    await admin.post(`${path}/publish`);
    expect(countOf(await admin.get(germanPath), other, 'shared')).toBeGreaterThan(0);
    const french = await create(`{"shared":${exact}}`, `,"locale":"fr","translationOf":"${id}"`);
    expect(countOf(french, exact, 'shared')).toBe(1);
    expect(countOf(await admin.get(path), exact, 'shared')).toBe(1);
    expect(countOf(await admin.get(germanPath), exact, 'shared')).toBeGreaterThan(0);
  });

  it('of an untranslatable field that is submitted unchanged changes no translation', async () => {
    const { id } = await createExact(`{"title":"T","shared":${exact}}`, 'plain');
    const german = await create('{"title":"D"}', `,"locale":"de","translationOf":"${id}"`, 'plain');
    await update(`/content/plain/${id}`, `{"shared":${exact}}`);
    const { item } = (await admin.get(`/content/plain/${german.data.item.id}`)).data;
    expect(item.version).toBe(german.data.item.version);
  });

  it('is the last one of duplicate keys', async () => {
    expect(countOf(await create(`{"extra":1,"extra":${exact}}`), exact)).toBe(1);
    const response = await admin.post('/content/posts', undefined, {
      rawBody: `{"data":{"extra":${other}},"data":{"extra":${exact}}}`,
      headers,
    });
    expect([countOf(response, other), countOf(response, exact)]).toEqual([0, 1]);
  });

  it.each(['12345678901234567890', '"a\\u0022b"', 'true', '{}', '[ ]'])('accepts %s', async (value) => {
    const { path, created } = await createExact(`{"extra": ${value} }`);
    expect(countOf(created, value)).toBe(1);
    expect(countOf(await admin.get(path), value)).toBe(1);
  });

  it('is the default of the field without a submitted value', async () => {
    await site.collection({
      slug: 'filled',
      fields: [{ slug: 'extra', type: 'json', defaultValue: { b: [1], a: null } }],
    });
    const response = await admin.post('/content/filled', { data: {} });
    expect(response.data.item.data).toEqual({ extra: { b: [1], a: null } });
  });

  it('returns 400 INVALID_JSON with a __proto__ key, also an escaped one', async () => {
    for (const value of ['{"__proto__":{"polluted":true}}', '{"a":{"\\u005f_proto__":1}}'])
      expect(statusAndCode(await create(`{"extra":${value}}`))).toEqual([400, 'INVALID_JSON']);
  });

  it('is not confused with other members of the body', async () => {
    const response = await admin.post('/content/posts', undefined, {
      rawBody: `{"x":{"extra":1},"data":{"title":"T","extra":${exact}},"y":{"data":{"extra":2}}}`,
      headers,
    });
    expect(countOf(response, exact)).toBe(1);
  });
});
