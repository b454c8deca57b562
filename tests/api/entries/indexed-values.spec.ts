import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  issuePaths,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type FieldInput,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});

/** docs/content.md: size limit of a value of an indexed text field. */
const maxBytes = 2600;
/** Incompressible text of this size in bytes; also a valid path, and so a valid url. */
const text = (bytes: number) => `/${randomBytes(bytes).toString('base64url').slice(1, bytes)}`;
const tooLong = text(maxBytes + 1);
const errorOf = (response: ApiResponse) => [...statusAndCode(response), issuePaths(response)];
const invalidValue = [400, 'VALIDATION_ERROR', ['f']];

async function collectionOf(field: Omit<FieldInput, 'slug'>) {
  count += 1;
  const slug = `indexed_${count}`;
  await site.collection({ slug, fields: [{ slug: 'f', ...field }] });
  const addIndex = () => admin.put(`/schema/collections/${slug}/fields/f`, { indexed: true });
  const entry = (f: unknown) =>
    createEntry(admin, slug, { title: undefined, body: undefined, f }, { slug: `entry-${count}` });
  return { slug, path: `/content/${slug}`, addIndex, entry };
}

const types = ['string', 'url', 'select', 'slug', 'reference'] as const;

describe.each(types)('value of an indexed %s field', (type) => {
  it('is accepted up to 2600 bytes; a longer one returns 400 on create, update and staging', async () => {
    const { path, entry } = await collectionOf({ type, indexed: true });
    const maxValue = text(maxBytes);
    const created = await entry(maxValue);
    expect((await admin.get(`${path}?orderBy=f`)).data.items[0].data).toEqual({ f: maxValue });
    expect(errorOf(await admin.post(path, { data: { f: tooLong } }))).toEqual(invalidValue);
    expect(errorOf(await created.put({ data: { f: tooLong } }))).toEqual(invalidValue);
    expect((await created.publish()).status).toBe(200);
    expect(errorOf(await created.put({ data: { f: tooLong } }))).toEqual(invalidValue);
    expect((await created.put({ data: { f: text(maxBytes) } })).status).toBe(200);
    expect((await created.publish()).status).toBe(200);
  });
});

describe('PUT /schema/collections/{slug}/fields/{fieldSlug} with indexed', () => {
  it.each([
    ['incompressible', tooLong],
    ['compressible', 'a'.repeat(maxBytes + 1)],
  ])('returns 400 while an entry, also a trashed one, has a longer %s value', async (_, value) => {
    const { addIndex, entry } = await collectionOf({ type: 'string' });
    const created = await entry(value);
    expect(statusAndCode(await addIndex())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await created.remove();
    expect(statusAndCode(await addIndex())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await admin.delete(`${created.path}/permanent`);
    expect((await addIndex()).status).toBe(200);
  });

  it('returns 400 on publishing a draft with a longer value, and keeps the live version', async () => {
    const { addIndex, entry } = await collectionOf({ type: 'string' });
    const created = await entry('short');
    await created.publish();
    expect((await created.put({ data: { f: tooLong } })).status).toBe(200);
    expect((await addIndex()).status).toBe(200);
    expect(errorOf(await created.publish())).toEqual(invalidValue);
    const [row] = await site.sql(`SELECT status, f FROM content_indexed_${count}`);
    expect(row).toEqual({ status: 'published', f: 'short' });
    await created.put({ data: { f: 'shorter' } });
    expect((await created.publish()).status).toBe(200);
  });

  it('returns 400 for a longer default', async () => {
    const { slug } = await collectionOf({ type: 'string' });
    const field = { slug: 'g', label: 'G', type: 'string', indexed: true, defaultValue: tooLong };
    const response = await admin.post(`/schema/collections/${slug}/fields`, field);
    expect(errorOf(response)).toEqual([400, 'VALIDATION_ERROR', ['defaultValue']]);
  });
});
