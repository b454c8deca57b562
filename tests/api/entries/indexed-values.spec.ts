import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  issuePaths,
  createEntry,
  openSite,
  statusAndCode,
  type ApiResponse,
  type Client,
  type FieldInput,
  type Site,
} from '@quire/testing';

let site: Site;
let admin: Client;
let count = 0;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterAll(() => site.close());

/** docs/content.md: what a value of an indexed text field may have at most. */
const maxBytes = 2600;
/** A text that no index can make shorter; also a path, and so a url. */
const text = (bytes: number) => `/${randomBytes(bytes).toString('base64url').slice(1, bytes)}`;
const tooLong = text(maxBytes + 1);
const refused = (answer: ApiResponse) => [...statusAndCode(answer), issuePaths(answer)];
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
    const made = await entry(longest);
    expect((await admin.get(`${path}?orderBy=f`)).data.items[0].data).toEqual({ f: longest });
    expect(refused(await admin.post(path, { data: { f: tooLong } }))).toEqual(namingTheField);
    expect(refused(await made.put({ data: { f: tooLong } }))).toEqual(namingTheField);
    expect((await made.publish()).status).toBe(200);
    expect(refused(await made.put({ data: { f: tooLong } }))).toEqual(namingTheField);
    expect((await made.put({ data: { f: text(maxBytes) } })).status).toBe(200);
    expect((await made.publish()).status).toBe(200);
  });
});

describe('a field that becomes indexed', () => {
  it.each([
    ['that cannot be made shorter', tooLong],
    ['that an index could make shorter', 'a'.repeat(maxBytes + 1)],
  ])('is refused while an entry holds a longer value %s, in the trash too', async (_, value) => {
    const { index, entry } = await collectionOf({ type: 'string' });
    const made = await entry(value);
    expect(statusAndCode(await index())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await made.remove();
    expect(statusAndCode(await index())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await admin.delete(`${made.path}/permanent`);
    expect((await index()).status).toBe(200);
  });

  it('refuses a longer value that waits in a draft when it is published, and what is live stays', async () => {
    const { index, entry } = await collectionOf({ type: 'string' });
    const made = await entry('short');
    await made.publish();
    expect((await made.put({ data: { f: tooLong } })).status).toBe(200);
    expect((await index()).status).toBe(200);
    expect(refused(await made.publish())).toEqual(namingTheField);
    const [row] = await site.sql(`SELECT status, f FROM content_indexed_${count}`);
    expect(row).toEqual({ status: 'published', f: 'short' });
    await made.put({ data: { f: 'shorter' } });
    expect((await made.publish()).status).toBe(200);
  });

  it('cannot have a longer default', async () => {
    const { slug } = await collectionOf({ type: 'string' });
    const field = { slug: 'g', label: 'G', type: 'string', indexed: true, defaultValue: tooLong };
    const answer = await admin.post(`/schema/collections/${slug}/fields`, field);
    expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR', ['defaultValue']]);
  });
});
