import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  createImage,
  eventuallyPasses,
  multipartForm,
  uploadFile,
  useSite,
  type ApiResponse,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { createByline } from '../bylines/support.js';

const site = useSite();
let admin: Client;
let reader: Client;
let entry: TestEntry;

beforeAll(async () => {
  [admin, reader] = [await site.as('admin'), await site.as('subscriber')];
  await site.collection();
  await site.collection({ slug: 'people', fields: [{ slug: 'name', type: 'string' }] });
  await admin.post('/schema/collections/posts/fields', {
    slug: 'authors',
    label: 'Authors',
    type: 'reference',
    validation: { targetCollection: 'people', multiple: true },
  });
});
beforeEach(async () => {
  entry = await createEntry(admin);
  await entry.publish();
});

const credit = (...bylineIds: string[]) =>
  entry.put({ bylines: bylineIds.map((bylineId) => ({ bylineId })) });

const etagOf = ({ headers }: ApiResponse) => String(headers.get('etag'));
const poll = (client: Client, path: string, etag: string) =>
  client.get(path, { headers: { 'if-none-match': etag } });
/** Repeats a request with the ETag of its first response. @returns 304, or 200 after checking that the ETag differs */
async function statusOfPoll(client: Client, path: string, seen: ApiResponse): Promise<number> {
  const response = await poll(client, path, etagOf(seen));
  if (response.status === 200) expect(etagOf(response)).not.toBe(etagOf(seen));
  return response.status;
}

describe('GET /content/{collection}/{id} with If-None-Match', () => {
  it('returns 304 with the ETag and without a body while nothing changes', async () => {
    const seen = await admin.get(entry.path);
    expect(etagOf(seen)).toMatch(/^W\/".+"$/);
    const response = await poll(admin, entry.path, etagOf(seen));
    expect([response.status, response.body, etagOf(response)]).toEqual([304, '', etagOf(seen)]);
  });

  it('returns 304 for the same entry by slug', async () => {
    const seen = await admin.get(entry.path);
    expect(await statusOfPoll(admin, `/content/posts/${entry.item.slug}`, seen)).toBe(304);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is published', () => entry.publish()],
    ['gets a draft', () => entry.put({ data: { body: 'new' } })],
    ['gets a draft that replaces another', () => entry.put({ data: { body: 'x' }, skipRevision: true })],
    ['is scheduled', () => entry.schedule()],
    ['is unpublished', () => entry.unpublish()],
  ])('returns 200 when the entry %s', async (_, change) => {
    const seen = await admin.get(entry.path);
    await change();
    expect(await statusOfPoll(admin, entry.path, seen)).toBe(200);
  });

  it('returns 200 when a referenced entry is published or deleted', async () => {
    const person = await createEntry(admin, 'people', { name: 'Ann', title: undefined, body: undefined });
    await person.publish();
    await entry.put({ references: { authors: [person.id] } });
    await entry.publish();
    let seen = await reader.get(entry.path);
    await person.put({ data: { name: 'Anna' } });
    expect(await statusOfPoll(reader, entry.path, seen)).toBe(304);
    await person.publish();
    expect(await statusOfPoll(reader, entry.path, seen)).toBe(200);
    seen = await reader.get(entry.path);
    await person.remove();
    expect(await statusOfPoll(reader, entry.path, seen)).toBe(200);
  });

  it('returns 200 when a field is added to the collection', async () => {
    const seen = await admin.get(entry.path);
    await admin.post('/schema/collections/posts/fields', { slug: 'extra', label: 'Extra', type: 'string' });
    expect(await statusOfPoll(admin, entry.path, seen)).toBe(200);
    await admin.delete('/schema/collections/posts/fields/extra');
  });

  it('returns 200 to a reader for the ETag of an editor', async () => {
    const seen = await admin.get(entry.path);
    expect(await statusOfPoll(reader, entry.path, seen)).toBe(200);
  });

  it('returns 401 and 404 regardless of the ETag', async () => {
    const seen = await admin.get(entry.path);
    expect((await poll(site.anonymous(), entry.path, etagOf(seen))).status).toBe(401);
    await entry.unpublish();
    expect((await poll(reader, entry.path, '*')).status).toBe(404);
    await entry.remove();
    expect((await poll(admin, entry.path, '*')).status).toBe(404);
  });
});

describe('GET /content/{collection} with If-None-Match', () => {
  const path = '/content/posts?limit=2';

  it('returns 304 while nothing changes', async () => {
    const seen = await admin.get(path);
    const response = await poll(admin, path, etagOf(seen));
    expect([response.status, response.body]).toEqual([304, '']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an entry is added', () => createEntry(admin)],
    ['one of the page changes', () => entry.publish()],
    ['one of the page is trashed', () => entry.remove()],
  ])('returns 200 when %s', async (_, change) => {
    const seen = await admin.get(path);
    await change();
    expect(await statusOfPoll(admin, path, seen)).toBe(200);
  });

  it('returns 200 when the total changes outside the page', async () => {
    const oldest = '/content/posts?limit=1&order=asc';
    const seen = await admin.get(oldest);
    await createEntry(admin);
    expect(await statusOfPoll(admin, oldest, seen)).toBe(200);
  });

  it('returns 200 for other filters, pages and readers', async () => {
    await createEntry(admin);
    const seen = await admin.get(path);
    const others = ['/content/posts?limit=3', `${path}&status=published`, `${path}&order=asc`];
    for (const other of others) expect(await statusOfPoll(admin, other, seen)).toBe(200);
    expect(await statusOfPoll(reader, path, seen)).toBe(200);
    const next = `${path}&cursor=${seen.data.nextCursor}`;
    expect(await statusOfPoll(admin, next, seen)).toBe(200);
    expect(await statusOfPoll(admin, next, await admin.get(next))).toBe(304);
  });

  it('returns 304 for an empty list', async () => {
    const empty = '/content/posts?status=nothing';
    expect(await statusOfPoll(admin, empty, await admin.get(empty))).toBe(304);
  });
});

describe.each([
  ['an entry', () => entry.path],
  ['a list', () => '/content/posts?limit=1'],
])('GET of %s with credits and If-None-Match', (_, pathOf) => {
  it('returns 200 when the credits change', async () => {
    const seen = await admin.get(pathOf());
    await credit((await createByline(admin)).id);
    expect(await statusOfPoll(admin, pathOf(), seen)).toBe(200);
  });

  it('returns 200 when the name of a byline changes', async () => {
    const { id } = await createByline(admin);
    await credit(id);
    const seen = await admin.get(pathOf());
    await admin.put(`/admin/bylines/${id}`, { displayName: 'Renamed' });
    expect(await statusOfPoll(admin, pathOf(), seen)).toBe(200);
  });

  it('returns 200 when the primary byline changes but the visible credits do not', async () => {
    const [hidden, shown] = [await createByline(admin, { locale: 'fr' }), await createByline(admin)];
    await credit(hidden.id, shown.id);
    const seen = await admin.get(pathOf());
    const itemOf = ({ data }: ApiResponse) => data.item ?? data.items[0];
    const { bylines: credits, version } = itemOf(seen);
    await admin.delete(`/admin/bylines/${hidden.id}`);
    expect(await statusOfPoll(admin, pathOf(), seen)).toBe(200);
    expect(itemOf(await admin.get(pathOf()))).toMatchObject({
      primaryBylineId: shown.translationGroup,
      bylines: credits,
      version,
    });
  });
});

describe('GET of entries with images and If-None-Match', () => {
  let shown: TestEntry;
  let id: string;

  const file = async (width: number) => ({
    name: 'file',
    value: await createImage({ width, height: 4 }),
    filename: 'a.png',
    type: 'image/png',
  });
  async function replace(width: number): Promise<void> {
    const dimensions = { width, height: 4 };
    const fields = Object.entries(dimensions).map(([name, value]) => ({ name, value: String(value) }));
    const response = await admin.put(
      `/media/${id}/replace`,
      undefined,
      multipartForm([...fields, await file(width)]),
    );
    expect(response.status).toBe(200);
  }

  beforeAll(() => site.collection({ slug: 'shots', fields: [{ slug: 'hero', type: 'image' }] }));
  beforeEach(async () => {
    id = (await uploadFile(admin, { bytes: await createImage({ width: 9, height: 9 }), type: 'image/png' }))
      .data.item.id;
    const hero = { provider: 'local', id };
    shown = await createEntry(admin, 'shots', { hero, title: undefined, body: undefined });
  });

  const paths: [string, () => string][] = [
    ['an entry', () => shown.path],
    ['a list', () => '/content/shots?limit=1'],
  ];
  describe.each(paths)('%s', (_, pathOf) => {
    it('returns 304 while nothing changes', async () => {
      expect(await statusOfPoll(admin, pathOf(), await admin.get(pathOf()))).toBe(304);
    });

    it('returns 200 when an image is replaced and when it is deleted', async () => {
      let seen = await admin.get(pathOf());
      const waitForChange = () =>
        eventuallyPasses(
          () => statusOfPoll(admin, pathOf(), seen),
          (status) => expect(status).toBe(200),
        );
      await replace(10);
      await waitForChange();
      seen = await admin.get(pathOf());
      await admin.delete(`/media/${id}`);
      await waitForChange();
    });
  });

  it('returns 304 for a collection without image fields when an image is replaced', async () => {
    const seen = await admin.get(entry.path);
    const before = await admin.get(shown.path);
    await replace(11);
    await eventuallyPasses(
      () => statusOfPoll(admin, shown.path, before),
      (status) => expect(status).toBe(200),
    );
    expect(await statusOfPoll(admin, entry.path, seen)).toBe(304);
  });
});
