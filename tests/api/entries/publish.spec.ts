import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  eventually,
  issuePaths,
  itemOf,
  statusAndCode,
  useSite,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { future, textFields } from './support.js';

const site = useSite();
let admin: Client;
let author: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  author = await site.as('author');
  await site.collection({
    slug: 'posts',
    fields: [...textFields, { slug: 'sku', type: 'string', unique: true }],
  });
  await site.collection({ slug: 'drafted', supports: ['drafts'] });
  await site.collection({ slug: 'plain', supports: [] });
  await site.collection({ slug: 'unrouted', routable: false });
});

const create = (collection?: string, data?: object, more?: object) =>
  createEntry(admin, collection, data, more);

describe('POST /content/{collection}/{id}/publish', () => {
  it.each(['posts', 'drafted', 'plain', 'unrouted'])(
    'publishes a draft with the current time: %s',
    async (collection) => {
      const entry = await create(collection);
      const before = Date.now() - 1_000;
      const item = itemOf(await entry.publish());
      expect(item).toMatchObject({
        status: 'published',
        data: entry.item.data,
        scheduledAt: null,
        draftRevisionId: null,
        version: 2,
      });
      expect(Date.parse(item.publishedAt)).toBeGreaterThan(before);
      expect(item.liveRevisionId === null).toBe(['drafted', 'plain'].includes(collection));
    },
  );
  it.each(['posts', 'drafted'])('publishes the staged draft: %s', async (collection) => {
    const entry = await create(collection);
    await entry.publish();
    await entry.put({ data: { title: 'Next', body: null }, slug: `next-${collection}` });
    expect(itemOf(await entry.publish())).toMatchObject({
      data: { title: 'Next' },
      slug: `next-${collection}`,
      draftRevisionId: null,
    });
    expect((await entry.get()).item).not.toHaveProperty('liveData');
    expect((await entry.get()).item.data).not.toHaveProperty('body');
    expect((await admin.get(`/content/${collection}/next-${collection}`)).data.item.id).toBe(entry.id);
    expect(statusAndCode(await admin.get(`/content/${collection}/${entry.item.slug}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
  it('changes only version and updatedAt when nothing is staged', async () => {
    const entry = await create();
    const first = itemOf(await entry.publish());
    const { version, updatedAt, ...second } = itemOf(await entry.publish());
    expect(first).toMatchObject(second);
    expect(version).toBe(first.version + 1);
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(first.updatedAt));
  });
  it('keeps the first publishedAt unless one is submitted', async () => {
    const entry = await create();
    const { publishedAt } = itemOf(await entry.publish());
    expect(itemOf(await entry.publish()).publishedAt).toBe(publishedAt);
    expect(itemOf(await entry.publish({ publishedAt: '2020-01-01T00:00:00+01:00' })).publishedAt).toBe(
      '2019-12-31T23:00:00.000Z',
    );
    expect(itemOf(await entry.publish()).publishedAt).toBe('2019-12-31T23:00:00.000Z');
  });
  it('requires content:publish_any for a submitted publishedAt', async () => {
    const { item } = (await author.post('/content/posts', { data: { title: 'Mine' } })).data;
    expect(
      statusAndCode(await author.post(`/content/posts/${item.id}/publish`, { publishedAt: future })),
    ).toEqual([403, 'FORBIDDEN']);
    expect((await author.post(`/content/posts/${item.id}/publish`)).status).toBe(200);
  });
  it.each(['2020-01-01', 'soon', 5])('returns 400 for publishedAt %j', async (publishedAt) => {
    const response = await (await create()).publish({ publishedAt });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'publishedAt',
    ]);
  });
  it('accepts an empty body with and without a Content-Type, and {}', async () => {
    const json = { headers: { 'content-type': 'application/json' } };
    for (const operation of ['publish', 'unpublish', 'discard-draft', 'duplicate']) {
      const { path } = await create();
      for (const response of [
        await admin.post(`${path}/${operation}`),
        await admin.post(`${path}/${operation}`, undefined, json),
        await admin.post(`${path}/${operation}`, {}),
      ]) {
        expect([operation, [200, 201].includes(response.status)]).toEqual([operation, true]);
      }
    }
  });
  it('returns 400 without a slug on a routable collection', async () => {
    const entry = await create('posts', { title: null });
    const rejection = await entry.publish();
    expect(statusAndCode(rejection)).toEqual([400, 'VALIDATION_ERROR']);
    expect(rejection.error.message).toContain('slug');
    await entry.put({ slug: 'late-slug' });
    expect(itemOf(await entry.publish())).toMatchObject({ slug: 'late-slug', status: 'published' });
    expect(itemOf(await (await create('unrouted', { title: null })).publish())).toMatchObject({
      slug: null,
      status: 'published',
    });
  });
  it('returns 400 without a value for a field that became required', async () => {
    await site.collection({ slug: 'growing' });
    const entry = await create('growing', { body: null });
    await admin.put(entry.path, { data: { body: 'x' } });
    expect((await admin.put('/schema/collections/growing/fields/title', { required: true })).status).toBe(
      200,
    );
    const empty = await create('growing');
    await site.sql(`UPDATE content_growing SET title = NULL WHERE id = $1`, [empty.id]);
    const rejection = await empty.publish();
    expect([...statusAndCode(rejection), ...issuePaths(rejection)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'title',
    ]);
    expect((await empty.get()).item.status).toBe('draft');
    expect(itemOf(await entry.publish()).status).toBe('published');
  });
  it('returns 409 SLUG_CONFLICT and changes nothing when the staged slug has been taken', async () => {
    const entry = await create();
    await entry.publish();
    await entry.put({ slug: 'contested' });
    await create('posts', {}, { slug: 'contested' });
    expect(statusAndCode(await entry.publish())).toEqual([409, 'SLUG_CONFLICT']);
    expect((await entry.get()).item).toMatchObject({ slug: entry.item.slug, status: 'published' });
  });
  it('returns 409 CONFLICT naming the unique field whose staged value has been taken', async () => {
    const entry = await create('posts', { sku: 'old' });
    await entry.publish();
    await entry.put({ data: { sku: 'wanted' } });
    await create('posts', { sku: 'wanted' });
    const response = await entry.publish();
    expect(statusAndCode(response)).toEqual([409, 'CONFLICT']);
    expect(response.error.message).toContain('sku');
    expect((await entry.get()).item.liveData.sku).toBe('old');
  });
  it('cancels a pending schedule', async () => {
    const entry = await create();
    await entry.schedule();
    expect(itemOf(await entry.publish())).toMatchObject({ status: 'published', scheduledAt: null });
  });
  it('publishes once when 20 requests race', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'new' } });
    const responses = await Promise.all(Array.from({ length: 20 }, () => entry.publish()));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ data }) => data.item.publishedAt as string)).size).toBe(1);
    expect((await entry.get()).item).toMatchObject({ data: { body: 'new' }, draftRevisionId: null });
  });
});

describe('POST /content/{collection}/{id}/unpublish', () => {
  it.each(['posts', 'drafted', 'plain'])(
    'returns a draft with the same content and publishedAt: %s',
    async (collection) => {
      const entry = await create(collection);
      const live = itemOf(await entry.publish());
      const item = itemOf(await entry.unpublish());
      expect(item).toMatchObject({
        status: 'draft',
        data: live.data,
        publishedAt: live.publishedAt,
        liveRevisionId: null,
        version: live.version + 1,
      });
      expect((await entry.get()).item.data).toEqual(live.data);
      expect(itemOf(await entry.publish()).publishedAt).toBe(live.publishedAt);
    },
  );
  it('cancels a pending schedule', async () => {
    const entry = await create();
    await entry.publish();
    await entry.schedule();
    expect(itemOf(await entry.unpublish())).toMatchObject({ status: 'draft', scheduledAt: null });
  });
  it('stages the live values on a collection with revisions, unless a draft is staged', async () => {
    const entry = await create();
    await entry.publish();
    expect(itemOf(await entry.unpublish()).draftRevisionId).not.toBeNull();
    expect(await entry.compare()).toMatchObject({ hasChanges: true, live: null, draft: entry.item.data });
    await entry.publish();
    const staged = itemOf(await entry.put({ data: { body: 'staged' } }));
    expect(itemOf(await entry.unpublish())).toMatchObject({
      draftRevisionId: staged.draftRevisionId,
      data: { body: 'staged' },
    });
  });
  it('returns 200 without a change when the entry is not published', async () => {
    const entry = await create();
    expect(itemOf(await entry.unpublish())).toEqual(entry.item);
    await entry.schedule();
    expect(itemOf(await entry.unpublish())).toMatchObject({ status: 'scheduled', scheduledAt: future });
  });
});

describe('POST and DELETE /content/{collection}/{id}/schedule', () => {
  it('schedules the publication of a draft and cancels it', async () => {
    const entry = await create();
    expect(itemOf(await entry.schedule('2099-01-01T01:00:00+01:00'))).toMatchObject({
      status: 'scheduled',
      scheduledAt: future,
      publishedAt: null,
    });
    expect(itemOf(await entry.unschedule())).toMatchObject({ status: 'draft', scheduledAt: null });
  });
  it('keeps a published entry published', async () => {
    const entry = await create();
    await entry.publish();
    expect(itemOf(await entry.schedule())).toMatchObject({ status: 'published', scheduledAt: future });
    expect(itemOf(await entry.unschedule())).toMatchObject({ status: 'published', scheduledAt: null });
  });
  it('replaces the time of an earlier schedule', async () => {
    const entry = await create();
    await entry.schedule();
    expect(itemOf(await entry.schedule('2098-01-01T00:00:00Z')).scheduledAt).toBe('2098-01-01T00:00:00.000Z');
    const rows = await site.sql('SELECT scheduled_at FROM cms_content.schedules WHERE entry_id = $1', [
      entry.id,
    ]);
    expect(rows).toEqual([{ scheduled_at: new Date('2098-01-01T00:00:00Z') }]);
  });
  it('returns 200 without a change when nothing is scheduled', async () => {
    const entry = await create();
    expect(itemOf(await entry.unschedule())).toEqual(entry.item);
  });
  it.each([
    undefined,
    null,
    '',
    'tomorrow',
    '2099-01-01',
    '2099-01-01T00:00:00',
    '2000-01-01T00:00:00Z',
    4102444800,
  ])('returns 400 for scheduledAt %j', async (scheduledAt) => {
    const entry = await create();
    const response = await admin.post(`${entry.path}/schedule`, { scheduledAt });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'scheduledAt',
    ]);
    expect((await entry.get()).item).toEqual(entry.item);
  });
  it('returns 400 without a slug on a routable collection', async () => {
    expect(statusAndCode(await (await create('posts', { title: null })).schedule())).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await (await create('unrouted', { title: null })).schedule()).status).toBe(200);
  });
  it('publishes drafts, also of published entries, at the scheduled time', async () => {
    const [draft, live, cancelled, trashed] = await Promise.all([create(), create(), create(), create()]);
    await live.publish();
    await live.put({ data: { body: 'staged' } });
    const scheduleSoon = async (entry: TestEntry) =>
      itemOf(await entry.schedule(new Date(Date.now() + 1_500).toISOString()));
    await scheduleSoon(cancelled);
    await cancelled.unschedule();
    await scheduleSoon(trashed);
    await trashed.remove();
    // Their times are later than those of the others: once these are published, all times have passed.
    await scheduleSoon(draft);
    await scheduleSoon(live);
    await eventually(
      async () =>
        (await draft.get()).item.status === 'published' && (await live.get()).item.scheduledAt === null,
    );
    expect((await draft.get()).item).toMatchObject({ status: 'published', scheduledAt: null });
    expect((await live.get()).item).toMatchObject({
      status: 'published',
      scheduledAt: null,
      data: { body: 'staged' },
      draftRevisionId: null,
    });
    expect((await cancelled.get()).item.status).toBe('draft');
    expect(itemOf(await trashed.restore())).toMatchObject({ status: 'draft', scheduledAt: null });
    await wait(500);
    expect((await trashed.get()).item.status).toBe('draft');
  });
});
