import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, openSite, statusAndCode, useSite, type Client } from '@quire/testing';
import { ulid } from 'ulid';

const site = useSite();
let admin: Client;
let author: Client;
/** The editor's, who owns nothing here. */
let otherId: string;

/** Twenty fields, so that twenty writers can each write their own. */
const wide = Array.from({ length: 20 }, (_, index) => ({ slug: `f${index}`, type: 'string' as const }));
const commonFields = [
  { slug: 'title', type: 'string' as const },
  { slug: 'body', type: 'text' as const },
];

beforeAll(async () => {
  admin = await site.as('admin');
  author = await site.as('author');
  await site.collection({
    slug: 'posts',
    supports: ['drafts', 'revisions'],
    fields: [...commonFields, ...wide],
  });
  await site.collection({ slug: 'revised', supports: ['revisions'] });
  await site.collection({ slug: 'drafted', supports: ['drafts'], fields: [...commonFields, ...wide] });
  await site.collection({ slug: 'plain', supports: [], fields: [...commonFields, ...wide] });
  await site.collection({ slug: 'unrouted', supports: [], routable: false });
  await site.collection({ slug: 'pages', supports: ['drafts', 'revisions', 'seo'] });
  otherId = (await createEntry(await site.as('editor'), 'posts')).item.authorId;
});

async function create(collection: string, data: object = { title: 'Entry', body: 'old' }, more: object = {}) {
  const { item } = (await admin.post(`/content/${collection}`, { data, ...more })).data;
  const path = `/content/${collection}/${item.id}`;
  return {
    id: item.id as string,
    item,
    path,
    get: async () => (await admin.get(path)).data,
    put: (body: object) => admin.put(path, body),
    publish: () => admin.post(`${path}/publish`),
    row: async () =>
      (
        await site.sql<{ title: string; body: string; slug: string }>(
          `SELECT title, body, slug FROM content_${collection} WHERE id = $1`,
          [item.id],
        )
      )[0],
    listed: async () =>
      (await admin.get(`/content/${collection}?limit=100`)).data.items.find(
        ({ id }: { id: string }) => id === item.id,
      ),
  };
}

describe('updateContent', () => {
  it('changes only what is sent, and clears what is sent as null', async () => {
    for (const collection of ['posts', 'drafted', 'plain']) {
      const entry = await create(collection);
      const changed = await entry.put({ data: { title: 'New' } });
      expect([changed.status, changed.data?.item.data]).toEqual([200, { title: 'New', body: 'old' }]);
      expect((await entry.put({ data: { body: null } })).data.item.data).toEqual({ title: 'New' });
      expect((await entry.get()).item.data).toEqual({ title: 'New' });
    }
  });
  it('finds the entry by its slug', async () => {
    const entry = await create('plain', { title: 'By slug' });
    expect((await admin.put('/content/plain/by-slug', { data: { body: 'x' } })).data.item.id).toBe(entry.id);
  });
  it('answers 404 NOT_FOUND for an unknown or trashed entry', async () => {
    const entry = await create('posts');
    await admin.delete(entry.path);
    expect(statusAndCode(await entry.put({ data: {} }))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.put('/content/posts/none', { data: {} }))).toEqual([404, 'NOT_FOUND']);
  });
  it('takes an empty body as no change of values', async () => {
    const entry = await create('posts');
    const response = await entry.put({});
    expect([response.status, response.data?.item.data, response.data?.item.draftRevisionId]).toEqual([
      200,
      entry.item.data,
      null,
    ]);
  });
  it('has no effect on the status of a published entry when it sends draft, and refuses another', async () => {
    const entry = await create('posts');
    await entry.publish();
    expect((await entry.put({ status: 'draft' })).data.item.status).toBe('published');
    expect(statusAndCode(await entry.put({ status: 'published' }))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('drops unknown keys of the body', async () => {
    const entry = await create('posts');
    expect(
      (await entry.put({ id: 'x', createdAt: '2000-01-01T00:00:00Z', colour: 'red' })).data.item,
    ).toMatchObject({
      id: entry.id,
      createdAt: entry.item.createdAt,
    });
  });
  it('refuses seo on a collection without SEO, and merges it key by key on one with SEO, live at once', async () => {
    expect(issuePaths(await (await create('posts')).put({ seo: {} }))).toEqual(['seo']);
    const page = await create('pages', { title: 'Page' }, { seo: { title: 'T', description: 'D' } });
    await page.publish();
    const { item } = (await page.put({ seo: { title: null, noIndex: true } })).data;
    expect(item.seo).toEqual({ title: null, description: 'D', image: null, canonical: null, noIndex: true });
    expect(item.draftRevisionId).toBeNull();
  });
});

describe('updateContent: draft or live', () => {
  it.each(['posts', 'revised'])(
    'is the draft on a collection with revisions, for a draft entry: %s',
    async (collection) => {
      const entry = await create(collection);
      const { item } = (await entry.put({ data: { title: 'Staged' } })).data;
      expect(item).toMatchObject({
        status: 'draft',
        data: { title: 'Staged' },
        liveData: { title: 'Entry' },
      });
      expect((await entry.row())?.title).toBe('Entry');
      expect((await entry.listed()).data.title).toBe('Entry');
    },
  );
  it.each(['posts', 'revised', 'drafted'])(
    'is the draft for a published entry, whose live version is unchanged: %s',
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
      expect((await entry.listed()).data).toEqual(live.data);
      expect((await entry.publish()).data.item).toMatchObject({
        data: { title: 'Staged', body: 'old' },
        draftRevisionId: null,
      });
      expect((await entry.listed()).data.title).toBe('Staged');
    },
  );
  it.each(['posts', 'revised'])(
    'is the draft on a collection with revisions, for a scheduled entry: %s',
    async (collection) => {
      const entry = await create(collection);
      await admin.post(`${entry.path}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' });
      expect((await entry.put({ data: { title: 'Staged' } })).data.item).toMatchObject({
        status: 'scheduled',
        liveData: { title: 'Entry' },
      });
    },
  );
  it('is live on a collection with drafts alone while the entry is not published', async () => {
    const entry = await create('drafted');
    expect((await entry.put({ data: { title: 'Now' } })).data.item).not.toHaveProperty('liveData');
    await admin.post(`${entry.path}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' });
    expect((await entry.put({ data: { title: 'Still' } })).data.item).not.toHaveProperty('liveData');
    expect((await entry.row())?.title).toBe('Still');
  });
  it('is the draft that waits, on a collection with drafts alone, after the entry was unpublished', async () => {
    const entry = await create('drafted');
    await entry.publish();
    await entry.put({ data: { title: 'Staged' } });
    await admin.post(`${entry.path}/unpublish`);
    await entry.put({ data: { body: 'later' } });
    expect((await entry.get()).item.data).toEqual({ title: 'Staged', body: 'later' });
    expect((await entry.publish()).data.item.data).toEqual({ title: 'Staged', body: 'later' });
  });
  it('is live at once on a collection with neither', async () => {
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
    expect((await entry.row())?.title).toBe('Public');
  });
  it.each(['posts', 'drafted'])(
    'is the draft for a lone slug of a published entry: %s',
    async (collection) => {
      const entry = await create(collection, { title: `Slug of ${collection}` });
      const { slug } = (await entry.publish()).data.item;
      expect((await entry.put({ slug: `moved-${collection}` })).data.item.slug).toBe(slug);
      expect((await entry.row())?.slug).toBe(slug);
      expect((await admin.get(`${entry.path}/compare`)).data.draft._slug).toBe(`moved-${collection}`);
      await entry.put({ data: { body: 'the slug still waits' } });
      expect((await entry.publish()).data.item).toMatchObject({
        slug: `moved-${collection}`,
        data: { body: 'the slug still waits' },
      });
      expect((await entry.publish()).data.item.slug).toBe(`moved-${collection}`);
    },
  );
  it('is live at once for bylines, author and publication date of a published entry', async () => {
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
    expect((await entry.listed()).authorId).toBe(otherId);
  });
});

describe('the slug in an update', () => {
  it('answers 409 SLUG_CONFLICT when it is taken, staged or live', async () => {
    for (const collection of ['posts', 'drafted', 'plain']) {
      await create(collection, { title: 'Holder' }, { slug: 'held' });
      const entry = await create(collection, { title: 'Wants' });
      expect(statusAndCode(await entry.put({ slug: 'held' }))).toEqual([409, 'SLUG_CONFLICT']);
      await entry.publish();
      expect(statusAndCode(await entry.put({ slug: 'held', data: { body: 'x' } }))).toEqual([
        409,
        'SLUG_CONFLICT',
      ]);
      expect((await entry.get()).item.data.body).toBeUndefined();
    }
  });
  it('may be the one the entry has, and one taken in another locale', async () => {
    await create('plain', { title: 'x' }, { slug: 'in-german', locale: 'de' });
    const entry = await create('plain', { title: 'Keeps' });
    expect((await entry.put({ slug: entry.item.slug })).status).toBe(200);
    expect((await entry.put({ slug: 'in-german' })).data.item.slug).toBe('in-german');
  });
  it.each(['a/b', '.', '..', ' ', 'x'.repeat(256), '\u0000'])('is refused: %j', async (slug) => {
    for (const collection of ['posts', 'plain']) {
      const response = await (await create(collection)).put({ slug });
      expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        'slug',
      ]);
    }
  });
  it('is cleared by null when written live, and stays when staged', async () => {
    const draft = await create('plain', { title: 'Clear me' });
    expect((await draft.put({ slug: null })).data.item.slug).toBeNull();
    const staged = await create('posts', { title: 'Keep me' });
    expect((await staged.put({ slug: null, data: { body: 'x' } })).data.item.slug).toBe(staged.item.slug);
    expect((await staged.publish()).data.item.slug).toBe(staged.item.slug);
  });
  it('may not be taken from a published entry of a routable collection, but of another', async () => {
    const entry = await create('plain');
    await entry.publish();
    expect(statusAndCode(await entry.put({ slug: null }))).toEqual([400, 'VALIDATION_ERROR']);
    const free = await create('unrouted');
    await free.publish();
    expect((await free.put({ slug: null })).data.item).toMatchObject({ slug: null, status: 'published' });
  });
});

describe('skipRevision', () => {
  it('lets the new draft replace the former one in the history', async () => {
    const entry = await create('posts');
    await entry.put({ data: { title: 'One' } });
    const before = (await admin.get(`${entry.path}/revisions`)).data;
    const { item } = (await entry.put({ data: { title: 'Two' }, skipRevision: true })).data;
    const after = (await admin.get(`${entry.path}/revisions`)).data;
    expect([before.total, after.total]).toEqual([1, 1]);
    expect(after.items[0]).toMatchObject({ id: item.draftRevisionId, data: { title: 'Two', body: 'old' } });
  });
  it('never removes the live revision', async () => {
    const entry = await create('posts');
    const live = (await entry.publish()).data.item.liveRevisionId;
    await entry.put({ data: { title: 'One' }, skipRevision: true });
    await entry.put({ data: { title: 'Two' }, skipRevision: true });
    const { items } = (await admin.get(`${entry.path}/revisions`)).data;
    expect(items.map(({ id }: { id: string }) => id)).toContain(live);
    expect(items).toHaveLength(2);
  });
});

describe('_rev', () => {
  it('lets the write through when it is current', async () => {
    const entry = await create('posts');
    const { _rev } = await entry.get();
    const response = await entry.put({ data: { title: 'Current' }, _rev });
    expect([response.status, response.data?._rev === _rev]).toEqual([200, false]);
  });
  it('answers 409 CONFLICT and writes nothing when it is stale or malformed', async () => {
    for (const collection of ['posts', 'plain']) {
      const entry = await create(collection);
      const { _rev } = await entry.get();
      await entry.put({ data: { title: 'First' } });
      for (const token of [_rev, 'x', 'MTo=', '!', ' ']) {
        expect(statusAndCode(await entry.put({ data: { title: 'Second' }, _rev: token }))).toEqual([
          409,
          'CONFLICT',
        ]);
      }
      expect((await entry.get()).item.data.title).toBe('First');
    }
  });
  it('may be absent or empty: the write is unconditional', async () => {
    const entry = await create('posts');
    expect((await entry.put({ data: { title: 'A' } })).status).toBe(200);
    expect((await entry.put({ data: { title: 'B' }, _rev: '' })).status).toBe(200);
  });
  it.each(['posts', 'drafted', 'plain'])(
    'lets exactly one of twenty parallel writers through: %s',
    async (collection) => {
      const entry = await create(collection);
      const { _rev, item } = await entry.get();
      const responses = await Promise.all(wide.map(({ slug }) => entry.put({ data: { [slug]: 'x' }, _rev })));
      expect(responses.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 19 }, () => 409),
      ]);
      expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(19);
      const after = (await entry.get()).item;
      expect(after.version).toBe(item.version + 1);
      expect(Object.keys(after.data)).toHaveLength(3);
    },
  );
});

describe('twenty parallel writers without _rev', () => {
  it.each([
    ['a draft with revisions', 'posts', false],
    ['a published entry with revisions', 'posts', true],
    ['a published entry with drafts alone', 'drafted', true],
    ['a published entry with neither', 'plain', true],
  ])('all succeed, and none loses what another wrote: %s', async (_name, collection, isPublished) => {
    const entry = await create(collection);
    if (isPublished) await entry.publish();
    const before = (await entry.get()).item;
    const responses = await Promise.all(
      wide.map(({ slug }) => entry.put({ data: { [slug]: `by ${slug}` } })),
    );
    expect(responses.map(({ status }) => status)).toEqual(wide.map(() => 200));
    const after = (await entry.get()).item;
    expect(after.version).toBe(before.version + 20);
    expect(after.data).toEqual({
      ...before.data,
      ...Object.fromEntries(wide.map(({ slug }) => [slug, `by ${slug}`])),
    });
    expect(new Set(responses.map(({ data }) => data._rev as string)).size).toBe(20);
  });
});

describe('authorId', () => {
  it('is applied with content:edit_any, null included, and ignored without', async () => {
    const { item } = (await author.post('/content/posts', { data: { title: 'Mine' } })).data;
    const path = `/content/posts/${item.id}`;
    const ignored = await author.put(path, { authorId: 'other', data: { body: 'x' } });
    expect([ignored.status, ignored.data?.item.authorId]).toEqual([200, item.authorId]);
    expect((await admin.put(path, { authorId: otherId })).data.item.authorId).toBe(otherId);
    expect(statusAndCode(await author.put(path, { data: {} }))).toEqual([403, 'FORBIDDEN']);
    expect((await admin.put(path, { authorId: null })).data.item.authorId).toBeNull();
    expect(statusAndCode(await author.put(path, { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });
  it('must be a user of the site, unless it stays as it is', async () => {
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
    await site.sql("UPDATE content_posts SET author_id = 'gone' WHERE id = $1", [entry.id]);
    expect((await entry.put({ authorId: 'gone', data: { body: 'new' } })).status).toBe(200);
  });
  it.each(['', 'x'.repeat(65), 'a\u0000b', 5])('is refused: %j', async (authorId) => {
    const response = await (await create('posts')).put({ authorId });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'authorId',
    ]);
  });
});

describe('publishedAt in an update', () => {
  it('needs content:publish_any, null included', async () => {
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

describe('the history of an entry', () => {
  it('keeps at most 50 revisions, the oldest dropped, the live one and the draft never', async () => {
    const entry = await create('posts');
    const live = (await entry.publish()).data.item.liveRevisionId as string;
    for (let count = 1; count <= 55; count += 1) await entry.put({ data: { body: `draft ${count}` } });
    const { items, total } = (await admin.get(`${entry.path}/revisions?limit=100`)).data as {
      items: { id: string; data: { body: string } }[];
      total: number;
    };
    expect([items.length, total]).toEqual([50, 50]);
    expect(items.at(-1)?.id).toBe(live);
    expect(items[0]).toMatchObject({
      id: (await entry.get()).item.draftRevisionId,
      data: { body: 'draft 55' },
    });
    expect(items.at(-2)?.data.body).toBe('draft 7');
    expect((await admin.post(`${entry.path}/discard-draft`)).data.item.data).toEqual({
      title: 'Entry',
      body: 'old',
    });
  });
});
