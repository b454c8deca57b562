import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const count = async (from: string, values: unknown[] = []) =>
  Number((await site.sql<{ count: string }>(`SELECT count(*) AS count FROM ${from}`, values))[0]?.count);
const slugs = async () =>
  ((await admin.get('/schema/collections')).data.items as { slug: string }[]).map(({ slug }) => slug);
const remove = (slug: string, query = '') => admin.delete(`/schema/collections/${slug}${query}`);

describe('DELETE /schema/collections/{slug}', () => {
  it('deletes an empty collection with its table and fields', async () => {
    await site.collection({ slug: 'empty' });
    const response = await remove('empty');
    expect([response.status, response.data]).toEqual([200, { success: true, deleted: true }]);
    expect(statusAndCode(await admin.get('/schema/collections/empty'))).toEqual([404, 'NOT_FOUND']);
    expect(await count(`pg_tables WHERE tablename = 'content_empty' AND schemaname = current_schema()`)).toBe(
      0,
    );
    expect(await count('fields')).toBe(0);
    expect(statusAndCode(await admin.get('/content/empty'))).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });
  it('returns 400 COLLECTION_HAS_CONTENT while there are entries, also trashed ones', async () => {
    const { path } = await site.collection({ slug: 'full' });
    const { item } = (await admin.post(path, { data: { title: 'One' } })).data;
    for (const query of ['', '?force=false'])
      expect(statusAndCode(await remove('full', query))).toEqual([400, 'COLLECTION_HAS_CONTENT']);
    await admin.delete(`${path}/${item.id}`);
    expect(statusAndCode(await remove('full'))).toEqual([400, 'COLLECTION_HAS_CONTENT']);
    expect((await admin.get('/schema/collections/full/fields')).data.items).toHaveLength(2);
    expect((await admin.post(`${path}/${item.id}/restore`)).status).toBe(200);
  });
  it('deletes entries, revisions, credits and schedules of one collection with force', async () => {
    const supports = ['drafts', 'revisions', 'scheduling'] as ('drafts' | 'revisions' | 'scheduling')[];
    const byline = (await admin.post('/admin/bylines', { slug: 'b', displayName: 'B' })).data;
    for (const slug of ['deleted', 'retained']) {
      const { path } = await site.collection({ slug, supports });
      const bylines = [{ bylineId: byline.id }];
      const { item } = (await admin.post(path, { data: { title: 'One' }, bylines })).data;
      expect((await admin.put(`${path}/${item.id}`, { data: { title: 'Two' } })).status).toBe(200);
      expect((await admin.post(`${path}/${item.id}/publish`)).status).toBe(200);
      const later = (await admin.post(path, { data: { title: 'Later' } })).data.item;
      const scheduledAt = '2099-01-01T00:00:00Z';
      expect((await admin.post(`${path}/${later.id}/schedule`, { scheduledAt })).status).toBe(200);
    }
    const rows = async (collection: string) => [
      await count('revisions WHERE collection = $1', [collection]),
      await count('entry_bylines WHERE collection = $1', [collection]),
      await count('cms_content.schedules WHERE tenant_id = $1 AND collection = $2', [
        site.tenant,
        collection,
      ]),
    ];
    const retained = await rows('retained');
    expect(await rows('deleted')).toEqual(retained);
    expect(Math.min(...retained)).toBeGreaterThan(0);
    expect((await remove('deleted', '?force=true')).status).toBe(200);
    expect(await rows('deleted')).toEqual([0, 0, 0]);
    expect(await rows('retained')).toEqual(retained);
  });
  it('shows nothing of many rows in a collection that gets the slug at once', async () => {
    const { path } = await site.collection({ slug: 'reused' });
    const { item } = (await admin.post(path, { data: { title: 'One' } })).data;
    await admin.put(`${path}/${item.id}`, { data: { title: 'Two' } });
    await admin.post(`${path}/${item.id}/publish`);
    const [revision] = await site.sql('SELECT id FROM revisions WHERE entry_id = $1', [item.id]);
    await admin.delete(`${path}/${item.id}`);
    await site.sql(
      `INSERT INTO comments (id, collection, content_id, author_name, author_email, body, status)
       SELECT 'many-' || n, 'reused', $1, 'A', 'a@a.example', 'x', 'pending' FROM generate_series(1, 1100) n`,
      [item.id],
    );
    expect((await remove('reused', '?force=true')).status).toBe(200);
    await site.collection({ slug: 'reused' });
    expect((await admin.get('/admin/comments?status=pending')).data.items).toEqual([]);
    expect((await admin.get('/admin/comments/counts')).data).toMatchObject({ pending: 0 });
    for (let number = 1; number <= 1100; number += 549)
      expect(statusAndCode(await admin.get(`/admin/comments/many-${number}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get(`/revisions/${String(revision?.['id'])}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    for (const list of [path, `${path}/trash`]) expect((await admin.get(list)).data.items).toEqual([]);
    await eventually(
      () => count(`comments WHERE content_id = '${item.id}'`),
      (left) => left === 0,
    );
    expect((await remove('reused')).status).toBe(200);
  });
  it('returns 404 COLLECTION_NOT_FOUND for an unknown collection, and 200 once when 5 requests race', async () => {
    expect(statusAndCode(await remove('nothing'))).toEqual([404, 'COLLECTION_NOT_FOUND']);
    await site.collection({ slug: 'wanted' });
    const responses = await Promise.all(Array.from({ length: 5 }, () => remove('wanted')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'COLLECTION_NOT_FOUND')).toHaveLength(4);
  });
  it('frees the slug for a collection with other fields', async () => {
    await site.collection({ slug: 'again', fields: [{ slug: 'size', type: 'string' }] });
    await admin.post('/content/again', { data: { size: 'XL' } });
    await remove('again', '?force=true');
    await site.collection({ slug: 'again', fields: [{ slug: 'size', type: 'integer' }] });
    expect((await admin.get('/content/again')).data.items).toEqual([]);
    expect((await admin.post('/content/again', { data: { size: 5 } })).data.item.data).toEqual({ size: 5 });
  });
});

describe('GET /schema/collections', () => {
  it('orders by sortOrder, null last, then by slug', async () => {
    for (const slug of await slugs()) await remove(slug, '?force=true');
    const orders = { delta: null, alpha: null, zulu: 0, mike: 5, kilo: 5 };
    for (const [slug, sortOrder] of Object.entries(orders))
      await admin.post('/schema/collections', { slug, label: slug, sortOrder });
    expect(await slugs()).toEqual(['zulu', 'kilo', 'mike', 'alpha', 'delta']);
  });
});

describe('POST /schema/collections/reorder', () => {
  const reorder = (list: unknown) => admin.post('/schema/collections/reorder', { slugs: list });

  it('sets the whole order; omitted collections follow alphabetically', async () => {
    const response = await reorder(['delta', 'zulu']);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    expect(await slugs()).toEqual(['delta', 'zulu', 'alpha', 'kilo', 'mike']);
    const { items } = (await admin.get('/schema/collections')).data;
    expect(items.map(({ sortOrder }: { sortOrder: number | null }) => sortOrder)).toEqual([
      0,
      1,
      null,
      null,
      null,
    ]);
    await reorder([]);
    expect(await slugs()).toEqual(['alpha', 'delta', 'kilo', 'mike', 'zulu']);
  });
  it('returns 404 COLLECTION_NOT_FOUND with details.slugs, and changes nothing', async () => {
    const response = await reorder(['zulu', 'nothing', 'Alpha', '\u0000']);
    expect(statusAndCode(response)).toEqual([404, 'COLLECTION_NOT_FOUND']);
    expect(response.error.details).toEqual({ slugs: ['nothing', 'Alpha', '\u0000'] });
    expect((await slugs())[0]).toBe('alpha');
  });
  it('returns 400 DUPLICATE_SLUG with details.slugs', async () => {
    const response = await reorder(['zulu', 'alpha', 'zulu', 'zulu']);
    expect(statusAndCode(response)).toEqual([400, 'DUPLICATE_SLUG']);
    expect(response.error.details).toEqual({ slugs: ['zulu'] });
  });
  it.each([undefined, null, 'zulu', [5]])('returns 400 for %j', async (list) => {
    expect(statusAndCode(await reorder(list))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('stores one of the orders when 6 requests race', async () => {
    const lists = [
      ['zulu', 'alpha', 'mike'],
      ['mike', 'zulu', 'alpha'],
      ['alpha', 'mike', 'zulu'],
    ];
    const responses = await Promise.all([...lists, ...lists].map(reorder));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(lists).toContainEqual((await slugs()).slice(0, 3));
  });
});

describe('GET /schema', () => {
  it('returns every collection with its fields, and a version that changes with them', async () => {
    await admin.post('/schema/collections/alpha/fields', {
      slug: 'title',
      label: 'T',
      type: 'string',
      required: true,
    });
    const first = (await admin.get('/schema')).data;
    expect(first.collections.map(({ slug }: { slug: string }) => slug)).toEqual([
      'alpha',
      'delta',
      'kilo',
      'mike',
      'zulu',
    ]);
    expect(first.collections[0].fields).toEqual(
      (await admin.get('/schema/collections/alpha/fields')).data.items,
    );
    expect(first.collections[1].fields).toEqual([]);
    expect((await admin.get('/schema?format=json')).data).toEqual(first);
    await admin.post('/schema/collections/delta/fields', { slug: 'size', label: 'S', type: 'integer' });
    expect((await admin.get('/schema')).data.version).not.toBe(first.version);
  });
  it('returns TypeScript with the version in a header for format=typescript', async () => {
    const response = await admin.get('/schema?format=typescript');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-schema-version')).toBe((await admin.get('/schema')).data.version);
    expect(response.body).toContain('export interface AlphaEntry {\n  title: string;\n}');
    expect(response.body).toContain('export interface DeltaEntry {\n  size?: number;\n}');
    expect(response.body).toContain('  alpha: AlphaEntry;');
  });
  it('returns different TypeScript names for different collections', async () => {
    for (const slug of ['a_1', 'a1', 'a__b', 'a_b', 'ab', 'collections'])
      await admin.post('/schema/collections', { slug, label: slug });
    const source = String((await admin.get('/schema?format=typescript')).body);
    const names = [...source.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });
  it('returns 400 for another format', async () => {
    expect(statusAndCode(await admin.get('/schema?format=yaml'))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('is not part of the OpenAPI document', async () => {
    const document = (await admin.get('/openapi.json')).body as { paths: Record<string, unknown> };
    expect(Object.keys(document.paths)).toContain('/_cms/api/schema/collections');
    expect(Object.keys(document.paths)).not.toContain('/_cms/api/schema');
  });
});
