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

/** docs/content.md: what a value of an indexed text field may have at most. */
const maxBytes = 2600;
/** A text that no index can make shorter; also a path, and so a url. */
const text = (bytes: number) => `/${randomBytes(bytes).toString('base64url').slice(1, bytes)}`;
const tooLong = text(maxBytes + 1);
const rejected = (response: ApiResponse) => [...statusAndCode(response), issuePaths(response)];
const namingTheField = [400, 'VALIDATION_ERROR', ['f']];

async function collectionOf(field: Omit<FieldInput, 'slug'>) {
  count += 1;
  const slug = `indexed_${count}`;
  await site.collection({ slug, fields: [{ slug: 'f', ...field }] });
  const index = () => admin.put(`/schema/collections/${slug}/fields/f`, { indexed: true });
  const entry = (f: unknown) =>
    createEntry(admin, slug, { title: undefined, body: undefined, f }, { slug: `entry-${count}` });
  return { slug, path: `/content/${slug}`, index, entry };
}

const types = ['string', 'url', 'select', 'slug', 'reference'] as const;

describe.each(types)('a value of an indexed %s field', (type) => {
  it('is taken as long as its index can hold it, and beyond that refused by name when it is created, changed or staged', async () => {
    const { path, entry } = await collectionOf({ type, indexed: true });
    const longest = text(maxBytes);
    const created = await entry(longest);
    expect((await admin.get(`${path}?orderBy=f`)).data.items[0].data).toEqual({ f: longest });
    expect(rejected(await admin.post(path, { data: { f: tooLong } }))).toEqual(namingTheField);
    expect(rejected(await created.put({ data: { f: tooLong } }))).toEqual(namingTheField);
    expect((await created.publish()).status).toBe(200);
    expect(rejected(await created.put({ data: { f: tooLong } }))).toEqual(namingTheField);
    expect((await created.put({ data: { f: text(maxBytes) } })).status).toBe(200);
    expect((await created.publish()).status).toBe(200);
  });
});

describe('a field that becomes indexed', () => {
  it.each([
    ['that cannot be made shorter', tooLong],
    ['that an index could make shorter', 'a'.repeat(maxBytes + 1)],
  ])('is refused while an entry holds a longer value %s, in the trash too', async (_, value) => {
    const { index, entry } = await collectionOf({ type: 'string' });
    const created = await entry(value);
    expect(statusAndCode(await index())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await created.remove();
    expect(statusAndCode(await index())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await admin.delete(`${created.path}/permanent`);
    expect((await index()).status).toBe(200);
  });

  it('refuses a longer value that waits in a draft when it is published, and what is live stays', async () => {
    const { index, entry } = await collectionOf({ type: 'string' });
    const created = await entry('short');
    await created.publish();
    expect((await created.put({ data: { f: tooLong } })).status).toBe(200);
    expect((await index()).status).toBe(200);
    expect(rejected(await created.publish())).toEqual(namingTheField);
    const [row] = await site.sql(`SELECT status, f FROM content_indexed_${count}`);
    expect(row).toEqual({ status: 'published', f: 'short' });
    await created.put({ data: { f: 'shorter' } });
    expect((await created.publish()).status).toBe(200);
  });

  it('cannot have a longer default', async () => {
    const { slug } = await collectionOf({ type: 'string' });
    const field = { slug: 'g', label: 'G', type: 'string', indexed: true, defaultValue: tooLong };
    const response = await admin.post(`/schema/collections/${slug}/fields`, field);
    expect(rejected(response)).toEqual([400, 'VALIDATION_ERROR', ['defaultValue']]);
  });
});
