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

let bylines = 0;
const makeByline = async (more: object = {}) => {
  bylines += 1;
  const sent = { slug: `person-${bylines}`, displayName: `Person ${bylines}`, ...more };
  return (await admin.post('/admin/bylines', sent)).data as { id: string; translationGroup: string };
};
const credit = (...bylineIds: string[]) =>
  entry.put({ bylines: bylineIds.map((bylineId) => ({ bylineId })) });

const etagOf = ({ headers }: ApiResponse) => String(headers.get('etag'));
const poll = (client: Client, path: string, etag: string) =>
  client.get(path, { headers: { 'if-none-match': etag } });
/** What a poll of something that was read before answers: 304, or 200 with another validator. */
async function again(client: Client, path: string, seen: ApiResponse): Promise<number> {
  const response = await poll(client, path, etagOf(seen));
  if (response.status === 200) expect(etagOf(response)).not.toBe(etagOf(seen));
  return response.status;
}

describe('polling an entry (If-None-Match)', () => {
  it('answers 304 without a body while nothing has changed, and names the state again', async () => {
    const seen = await admin.get(entry.path);
    expect(etagOf(seen)).toMatch(/^W\/".+"$/);
    const response = await poll(admin, entry.path, etagOf(seen));
    expect([response.status, response.body, etagOf(response)]).toEqual([304, '', etagOf(seen)]);
  });

  it('is the same by id and by slug', async () => {
    const seen = await admin.get(entry.path);
    expect(await again(admin, `/content/posts/${entry.item.slug}`, seen)).toBe(304);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is published', () => entry.publish()],
    ['gets a draft', () => entry.put({ data: { body: 'new' } })],
    ['gets a draft in place of another', () => entry.put({ data: { body: 'x' }, skipRevision: true })],
    ['is scheduled', () => entry.schedule()],
    ['is taken off the site', () => entry.unpublish()],
  ])('answers anew when the entry %s', async (_, change) => {
    const seen = await admin.get(entry.path);
    await change();
    expect(await again(admin, entry.path, seen)).toBe(200);
  });

  it('answers anew when a linked entry changes, is linked, or goes', async () => {
    const person = await createEntry(admin, 'people', { name: 'Ann', title: undefined, body: undefined });
    await person.publish();
    await entry.put({ references: { authors: [person.id] } });
    await entry.publish();
    let seen = await reader.get(entry.path);
    await person.put({ data: { name: 'Anna' } });
    expect(await again(reader, entry.path, seen)).toBe(304);
    await person.publish();
    expect(await again(reader, entry.path, seen)).toBe(200);
    seen = await reader.get(entry.path);
    await person.remove();
    expect(await again(reader, entry.path, seen)).toBe(200);
  });

  it('answers anew when the collection’s fields change', async () => {
    const seen = await admin.get(entry.path);
    await admin.post('/schema/collections/posts/fields', { slug: 'extra', label: 'Extra', type: 'string' });
    expect(await again(admin, entry.path, seen)).toBe(200);
    await admin.delete('/schema/collections/posts/fields/extra');
  });

  it('knows whose view it was: an editor’s state is not a reader’s', async () => {
    const seen = await admin.get(entry.path);
    expect(await again(reader, entry.path, seen)).toBe(200);
  });

  it('never hides what the caller may not see, or what is gone', async () => {
    const seen = await admin.get(entry.path);
    const nobody = site.anonymous();
    expect((await poll(nobody, entry.path, etagOf(seen))).status).toBe(401);
    await entry.unpublish();
    expect((await poll(reader, entry.path, '*')).status).toBe(404);
    await entry.remove();
    expect((await poll(admin, entry.path, '*')).status).toBe(404);
  });
});

describe('polling a list (If-None-Match)', () => {
  const path = '/content/posts?limit=2';

  it('answers 304 while nothing has changed', async () => {
    const seen = await admin.get(path);
    const response = await poll(admin, path, etagOf(seen));
    expect([response.status, response.body]).toEqual([304, '']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an entry is added', () => createEntry(admin)],
    ['one of the page changes', () => entry.publish()],
    ['one of the page is trashed', () => entry.remove()],
  ])('answers anew when %s', async (_, change) => {
    const seen = await admin.get(path);
    await change();
    expect(await again(admin, path, seen)).toBe(200);
  });

  it('answers anew when the number of entries changes beyond the page', async () => {
    const oldest = '/content/posts?limit=1&order=asc';
    const seen = await admin.get(oldest);
    await createEntry(admin);
    expect(await again(admin, oldest, seen)).toBe(200);
  });

  it('is of one question alone: other filters, pages and views have states of their own', async () => {
    await createEntry(admin);
    const seen = await admin.get(path);
    const others = ['/content/posts?limit=3', `${path}&status=published`, `${path}&order=asc`];
    for (const other of others) expect(await again(admin, other, seen)).toBe(200);
    expect(await again(reader, path, seen)).toBe(200);
    const next = `${path}&cursor=${seen.data.nextCursor}`;
    expect(await again(admin, next, seen)).toBe(200);
    expect(await again(admin, next, await admin.get(next))).toBe(304);
  });

  it('of nothing is a state too', async () => {
    const nothing = '/content/posts?status=nothing';
    expect(await again(admin, nothing, await admin.get(nothing))).toBe(304);
  });
});

describe.each([
  ['an entry', () => entry.path],
  ['a list', () => '/content/posts?limit=1'],
])('polling %s with credits (If-None-Match)', (_, pathOf) => {
  it('answers anew when the credits change', async () => {
    const seen = await admin.get(pathOf());
    await credit((await makeByline()).id);
    expect(await again(admin, pathOf(), seen)).toBe(200);
  });

  it('answers anew when the name of a byline changes', async () => {
    const { id } = await makeByline();
    await credit(id);
    const seen = await admin.get(pathOf());
    await admin.put(`/admin/bylines/${id}`, { displayName: 'Renamed' });
    expect(await again(admin, pathOf(), seen)).toBe(200);
  });

  it('answers anew when another byline is the primary one, although the credits that show are the same', async () => {
    const [hidden, shown] = [await makeByline({ locale: 'fr' }), await makeByline()];
    await credit(hidden.id, shown.id);
    const seen = await admin.get(pathOf());
    const itemOf = ({ data }: ApiResponse) => data.item ?? data.items[0];
    const { bylines: credits, version } = itemOf(seen);
    await admin.delete(`/admin/bylines/${hidden.id}`);
    expect(await again(admin, pathOf(), seen)).toBe(200);
    expect(itemOf(await admin.get(pathOf()))).toMatchObject({
      primaryBylineId: shown.translationGroup,
      bylines: credits,
      version,
    });
  });
});

describe('polling entries with images (If-None-Match)', () => {
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
    const parts = Object.entries(dimensions).map(([name, value]) => ({ name, value: String(value) }));
    const response = await admin.put(
      `/media/${id}/replace`,
      undefined,
      multipartForm([...parts, await file(width)]),
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
    it('answers 304 while nothing has changed', async () => {
      expect(await again(admin, pathOf(), await admin.get(pathOf()))).toBe(304);
    });

    it('answers anew when an image was replaced, and when it was deleted', async () => {
      let seen = await admin.get(pathOf());
      const changed = () =>
        eventuallyPasses(
          () => again(admin, pathOf(), seen),
          (status) => expect(status).toBe(200),
        );
      await replace(10);
      await changed();
      seen = await admin.get(pathOf());
      await admin.delete(`/media/${id}`);
      await changed();
    });
  });

  it('of a collection that shows none, answers 304 when one was replaced', async () => {
    const seen = await admin.get(entry.path);
    const shot = await admin.get(shown.path);
    await replace(11);
    await eventuallyPasses(
      () => again(admin, shown.path, shot),
      (status) => expect(status).toBe(200),
    );
    expect(await again(admin, entry.path, seen)).toBe(304);
  });
});
