import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  issuePaths,
  openSite,
  statusAndCode,
  useSite,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { createExactEntry, rowOf, textFields } from './support.js';
import { ulid } from '@quire/values';

const site = useSite();
let admin: Client;
let author: Client;
/** User id of an editor without entries. */
let otherId: string;

beforeAll(async () => {
  admin = await site.as('admin');
  author = await site.as('author');
  await site.collection({
    slug: 'posts',
    supports: ['drafts', 'revisions'],
    fields: textFields,
  });
  await site.collection({ slug: 'revised', supports: ['revisions'] });
  await site.collection({ slug: 'drafted', supports: ['drafts'], fields: textFields });
  await site.collection({ slug: 'plain', supports: [], fields: textFields });
  await site.collection({ slug: 'unrouted', supports: [], routable: false });
  await site.collection({ slug: 'pages', supports: ['drafts', 'revisions', 'seo'] });
  otherId = (await createEntry(await site.as('editor'), 'posts')).item.authorId;
});

const create = (collection: string, data?: object, more?: object) =>
  createExactEntry(admin, collection, data, more);
const listed = async ({ id }: TestEntry, collection: string) =>
  (await admin.get(`/content/${collection}?limit=100`)).data.items.find(
    (item: { id: string }) => item.id === id,
  );

describe('PUT /content/{collection}/{id}', () => {
  it('updates only the submitted values and clears values sent as null', async () => {
    for (const collection of ['posts', 'drafted', 'plain']) {
      const entry = await create(collection);
      const changed = await entry.put({ data: { title: 'New' } });
      expect([changed.status, changed.data?.item.data]).toEqual([200, { title: 'New', body: 'old' }]);
      expect((await entry.put({ data: { body: null } })).data.item.data).toEqual({ title: 'New' });
      expect((await entry.get()).item.data).toEqual({ title: 'New' });
    }
  });
  it('accepts the slug of an entry', async () => {
    const entry = await create('plain', { title: 'By slug' });
    expect((await admin.put('/content/plain/by-slug', { data: { body: 'x' } })).data.item.id).toBe(entry.id);
  });
  it('returns 404 NOT_FOUND for an unknown or trashed entry', async () => {
    const entry = await create('posts');
    await admin.delete(entry.path);
    expect(statusAndCode(await entry.put({ data: {} }))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.put('/content/posts/none', { data: {} }))).toEqual([404, 'NOT_FOUND']);
  });
  it('accepts an empty body without changing values', async () => {
    const entry = await create('posts');
    const response = await entry.put({});
    expect([response.status, response.data?.item.data, response.data?.item.draftRevisionId]).toEqual([
      200,
      entry.item.data,
      null,
    ]);
  });
  it('ignores the status draft, and returns 400 for another status', async () => {
    const entry = await create('posts');
    await entry.publish();
    expect((await entry.put({ status: 'draft' })).data.item.status).toBe('published');
    expect(statusAndCode(await entry.put({ status: 'published' }))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('ignores unknown keys of the body', async () => {
    const entry = await create('posts');
    expect(
      (await entry.put({ id: 'x', createdAt: '2000-01-01T00:00:00Z', colour: 'red' })).data.item,
    ).toMatchObject({
      id: entry.id,
      createdAt: entry.item.createdAt,
    });
  });
  it('returns 400 for seo on a collection without SEO, else merges it by key without a draft', async () => {
    expect(issuePaths(await (await create('posts')).put({ seo: {} }))).toEqual(['seo']);
    const page = await create('pages', { title: 'Page' }, { seo: { title: 'T', description: 'D' } });
    await page.publish();
    const { item } = (await page.put({ seo: { title: null, noIndex: true } })).data;
    expect(item.seo).toEqual({ title: null, description: 'D', image: null, canonical: null, noIndex: true });
    expect(item.draftRevisionId).toBeNull();
  });
});

describe('PUT /content/{collection}/{id} writes', () => {
  it.each(['posts', 'revised'])(
    'the draft of a draft entry on a collection with revisions: %s',
    async (collection) => {
      const entry = await create(collection);
      const { item } = (await entry.put({ data: { title: 'Staged' } })).data;
      expect(item).toMatchObject({
        status: 'draft',
        data: { title: 'Staged' },
        liveData: { title: 'Entry' },
      });
      expect((await rowOf(site, entry))?.title).toBe('Entry');
      expect((await listed(entry, collection)).data.title).toBe('Entry');
    },
  );
  it.each(['posts', 'revised', 'drafted'])(
    'the draft of a published entry, keeping the live version: %s',
    async (collection) => {
      const entry = await create(collection);
      const live = (await entry.publish()).data.item;
      const { item } = (await entry.put({ data: { title: 'Staged' } })).data;
      expect(item).toMatchObject({
        status: 'published',
        data: { title: 'Staged' },
        liveData: { title: 'Entry' },
        updatedAt: live.updatedAt,
      });
      expect(item.version).toBe(live.version + 1);
      expect((await listed(entry, collection)).data).toEqual(live.data);
      expect((await entry.publish()).data.item).toMatchObject({
        data: { title: 'Staged', body: 'old' },
        draftRevisionId: null,
      });
      expect((await listed(entry, collection)).data.title).toBe('Staged');
    },
  );
  it.each(['posts', 'revised'])(
    'the draft of a scheduled entry on a collection with revisions: %s',
    async (collection) => {
      const entry = await create(collection);
      await admin.post(`${entry.path}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' });
      expect((await entry.put({ data: { title: 'Staged' } })).data.item).toMatchObject({
        status: 'scheduled',
        liveData: { title: 'Entry' },
      });
    },
  );
  it('live values of an unpublished entry on a collection without revisions', async () => {
    const entry = await create('drafted');
    expect((await entry.put({ data: { title: 'Now' } })).data.item).not.toHaveProperty('liveData');
    await admin.post(`${entry.path}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' });
    expect((await entry.put({ data: { title: 'Still' } })).data.item).not.toHaveProperty('liveData');
    expect((await rowOf(site, entry))?.title).toBe('Still');
  });
  it('the existing draft of an entry that was unpublished on a collection without revisions', async () => {
    const entry = await create('drafted');
    await entry.publish();
    await entry.put({ data: { title: 'Staged' } });
    await admin.post(`${entry.path}/unpublish`);
    await entry.put({ data: { body: 'later' } });
    expect((await entry.get()).item.data).toEqual({ title: 'Staged', body: 'later' });
    expect((await entry.publish()).data.item.data).toEqual({ title: 'Staged', body: 'later' });
  });
  it('live values on a collection without drafts and revisions', async () => {
    const entry = await create('plain');
    const live = (await entry.publish()).data.item;
    const { item } = (await entry.put({ data: { title: 'Public' } })).data;
    expect(item).not.toHaveProperty('liveData');
    expect(item).toMatchObject({
      status: 'published',
      data: { title: 'Public' },
      draftRevisionId: null,
      version: live.version + 1,
    });
    expect((await rowOf(site, entry))?.title).toBe('Public');
  });
  it.each(['posts', 'drafted'])(
    'the draft when only the slug of a published entry changes: %s',
    async (collection) => {
      const entry = await create(collection, { title: `Slug of ${collection}` });
      const { slug } = (await entry.publish()).data.item;
      const reader = await site.as('subscriber');
      const staged = { slug, draftSlug: `moved-${collection}` };
      expect((await entry.put({ slug: `moved-${collection}` })).data.item).toMatchObject(staged);
      expect((await admin.get(entry.path)).data.item).toMatchObject(staged);
      expect((await reader.get(entry.path)).data.item).not.toHaveProperty('draftSlug');
      expect((await rowOf(site, entry))?.slug).toBe(slug);
      expect((await admin.get(`${entry.path}/compare`)).data.draft._slug).toBe(`moved-${collection}`);
      await entry.put({ data: { body: 'the slug still waits' } });
      expect((await entry.publish()).data.item).toMatchObject({
        slug: `moved-${collection}`,
        data: { body: 'the slug still waits' },
      });
      expect((await admin.get(entry.path)).data.item).not.toHaveProperty('draftSlug');
      expect((await entry.publish()).data.item.slug).toBe(`moved-${collection}`);
    },
  );
  it('bylines, author and publishedAt of a published entry without a draft', async () => {
    const entry = await create('posts');
    await entry.publish();
    const { item } = (
      await entry.put({ authorId: otherId, publishedAt: '2020-01-01T00:00:00Z', bylines: [] })
    ).data;
    expect(item).toMatchObject({
      authorId: otherId,
      publishedAt: '2020-01-01T00:00:00.000Z',
      draftRevisionId: null,
    });
    expect((await listed(entry, 'posts')).authorId).toBe(otherId);
  });
});

describe('slug of PUT /content/{collection}/{id}', () => {
  it('returns 409 SLUG_CONFLICT when it is taken, staged or live', async () => {
    for (const collection of ['posts', 'drafted', 'plain']) {
      await create(collection, { title: 'Owner' }, { slug: 'taken' });
      const entry = await create(collection, { title: 'Wants' });
      expect(statusAndCode(await entry.put({ slug: 'taken' }))).toEqual([409, 'SLUG_CONFLICT']);
      await entry.publish();
      expect(statusAndCode(await entry.put({ slug: 'taken', data: { body: 'x' } }))).toEqual([
        409,
        'SLUG_CONFLICT',
      ]);
      expect((await entry.get()).item.data.body).toBeUndefined();
    }
  });
  it('can be the current one and one taken in another locale', async () => {
    await create('plain', { title: 'x' }, { slug: 'in-german', locale: 'de' });
    const entry = await create('plain', { title: 'Keeps' });
    expect((await entry.put({ slug: entry.item.slug })).status).toBe(200);
    expect((await entry.put({ slug: 'in-german' })).data.item.slug).toBe('in-german');
  });
  it.each(['a/b', '.', '..', ' ', 'x'.repeat(256), '\u0000'])('returns 400 for %j', async (slug) => {
    for (const collection of ['posts', 'plain']) {
      const response = await (await create(collection)).put({ slug });
      expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        'slug',
      ]);
    }
  });
  it('is cleared by null when written live, and kept when staged', async () => {
    const draft = await create('plain', { title: 'Clear me' });
    expect((await draft.put({ slug: null })).data.item.slug).toBeNull();
    const staged = await create('posts', { title: 'Keep me' });
    expect((await staged.put({ slug: null, data: { body: 'x' } })).data.item.slug).toBe(staged.item.slug);
    expect((await staged.publish()).data.item.slug).toBe(staged.item.slug);
  });
  it('returns 400 when cleared for a published entry of a routable collection', async () => {
    const entry = await create('plain');
    await entry.publish();
    expect(statusAndCode(await entry.put({ slug: null }))).toEqual([400, 'VALIDATION_ERROR']);
    const free = await create('unrouted');
    await free.publish();
    expect((await free.put({ slug: null })).data.item).toMatchObject({ slug: null, status: 'published' });
  });
});

describe('authorId of PUT /content/{collection}/{id}', () => {
  it('is applied with content:edit_any, also null, and ignored without', async () => {
    const { item } = (await author.post('/content/posts', { data: { title: 'Mine' } })).data;
    const path = `/content/posts/${item.id}`;
    const ignored = await author.put(path, { authorId: 'other', data: { body: 'x' } });
    expect([ignored.status, ignored.data?.item.authorId]).toEqual([200, item.authorId]);
    expect((await admin.put(path, { authorId: otherId })).data.item.authorId).toBe(otherId);
    expect(statusAndCode(await author.put(path, { data: {} }))).toEqual([403, 'FORBIDDEN']);
    expect((await admin.put(path, { authorId: null })).data.item.authorId).toBeNull();
    expect(statusAndCode(await author.put(path, { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });
  it('returns 400 for an unknown user unless it is unchanged', async () => {
    const elsewhere = await openSite();
    await elsewhere.collection({ slug: 'posts' });
    const foreign: unknown = (await createEntry(await elsewhere.as('editor'), 'posts')).item.authorId;
    await elsewhere.close();
    const entry = await create('posts');
    for (const authorId of ['not an id', ulid(), foreign]) {
      const response = await entry.put({ authorId, data: { body: 'never' } });
      expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        'authorId',
      ]);
    }
    expect((await entry.get()).item).toMatchObject({ authorId: entry.item.authorId, data: { body: 'old' } });
    await site.sql("UPDATE content_posts SET author_id = 'deleted' WHERE id = $1", [entry.id]);
    expect((await entry.put({ authorId: 'deleted', data: { body: 'new' } })).status).toBe(200);
  });
  it.each(['', 'x'.repeat(65), 'a\u0000b', 5])('returns 400 for %j', async (authorId) => {
    const response = await (await create('posts')).put({ authorId });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'authorId',
    ]);
  });
});

describe('publishedAt of PUT /content/{collection}/{id}', () => {
  it('requires content:publish_any, also for null', async () => {
    const { item } = (await author.post('/content/posts', { data: { title: 'Dated' } })).data;
    for (const publishedAt of ['2020-01-01T00:00:00Z', null]) {
      expect(statusAndCode(await author.put(`/content/posts/${item.id}`, { publishedAt }))).toEqual([
        403,
        'FORBIDDEN',
      ]);
    }
    const set = await admin.put(`/content/posts/${item.id}`, { publishedAt: '2020-01-01T01:00:00+01:00' });
    expect(set.data.item.publishedAt).toBe('2020-01-01T00:00:00.000Z');
    expect(
      (await admin.put(`/content/posts/${item.id}`, { publishedAt: null })).data.item.publishedAt,
    ).toBeNull();
  });
});
