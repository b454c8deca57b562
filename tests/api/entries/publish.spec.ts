import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  issuePaths,
  itemOf,
  createEntry,
  openSite,
  statusAndCode,
  type Client,
  type Site,
} from '@quire/testing';

const future = '2099-01-01T00:00:00.000Z';
const commonFields = [
  { slug: 'title', type: 'string' as const },
  { slug: 'body', type: 'text' as const },
];

let site: Site;
let admin: Client;
let author: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  author = await site.as('author');
  await site.collection({
    slug: 'posts',
    fields: [...commonFields, { slug: 'sku', type: 'string', unique: true }],
  });
  await site.collection({ slug: 'drafted', supports: ['drafts'] });
  await site.collection({ slug: 'plain', supports: [] });
  await site.collection({ slug: 'unrouted', routable: false });
});
afterAll(() => site.close());

const make = (collection?: string, data?: object, more?: object) =>
  createEntry(admin, collection, data, more);

describe('publishContent', () => {
  it.each(['posts', 'drafted', 'plain', 'unrouted'])('makes a draft live, now: %s', async (collection) => {
    const entry = await make(collection);
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
  });
  it.each(['posts', 'drafted'])('makes the staged draft the live version: %s', async (collection) => {
    const entry = await make(collection);
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
  it('succeeds with nothing staged: only version and updatedAt move', async () => {
    const entry = await make();
    const first = itemOf(await entry.publish());
    const { version, updatedAt, ...second } = itemOf(await entry.publish());
    expect(first).toMatchObject(second);
    expect(version).toBe(first.version + 1);
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(first.updatedAt));
  });
  it('keeps the first publication date when it is published again, and takes a given one', async () => {
    const entry = await make();
    const { publishedAt } = itemOf(await entry.publish());
    expect(itemOf(await entry.publish()).publishedAt).toBe(publishedAt);
    expect(itemOf(await entry.publish({ publishedAt: '2020-01-01T00:00:00+01:00' })).publishedAt).toBe(
      '2019-12-31T23:00:00.000Z',
    );
    expect(itemOf(await entry.publish()).publishedAt).toBe('2019-12-31T23:00:00.000Z');
  });
  it('needs content:publish_any for a given publication date', async () => {
    const { item } = (await author.post('/content/posts', { data: { title: 'Mine' } })).data;
    expect(
      statusAndCode(await author.post(`/content/posts/${item.id}/publish`, { publishedAt: future })),
    ).toEqual([403, 'FORBIDDEN']);
    expect((await author.post(`/content/posts/${item.id}/publish`)).status).toBe(200);
  });
  it.each(['2020-01-01', 'soon', 5])('refuses the publication date %j', async (publishedAt) => {
    const answer = await (await make()).publish({ publishedAt });
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'publishedAt',
    ]);
  });
  it('takes an empty body with and without a Content-Type, and {}', async () => {
    const json = { headers: { 'content-type': 'application/json' } };
    for (const operation of ['publish', 'unpublish', 'discard-draft', 'duplicate']) {
      const { path } = await make();
      for (const answer of [
        await admin.post(`${path}/${operation}`),
        await admin.post(`${path}/${operation}`, undefined, json),
        await admin.post(`${path}/${operation}`, {}),
      ]) {
        expect([operation, [200, 201].includes(answer.status)]).toEqual([operation, true]);
      }
    }
  });
  it('needs a slug on a routable collection, staged or live', async () => {
    const entry = await make('posts', { title: null });
    const refusal = await entry.publish();
    expect(statusAndCode(refusal)).toEqual([400, 'VALIDATION_ERROR']);
    expect(refusal.error.message).toContain('slug');
    await entry.put({ slug: 'late-slug' });
    expect(itemOf(await entry.publish())).toMatchObject({ slug: 'late-slug', status: 'published' });
    expect(itemOf(await (await make('unrouted', { title: null })).publish())).toMatchObject({
      slug: null,
      status: 'published',
    });
  });
  it('holds required fields again: one that became required since must have a value', async () => {
    await site.collection({ slug: 'growing' });
    const entry = await make('growing', { body: null });
    await admin.put(entry.path, { data: { body: 'x' } });
    expect((await admin.put('/schema/collections/growing/fields/title', { required: true })).status).toBe(
      200,
    );
    const empty = await make('growing');
    await site.sql(`UPDATE content_growing SET title = NULL WHERE id = $1`, [empty.id]);
    const refusal = await empty.publish();
    expect([...statusAndCode(refusal), ...issuePaths(refusal)]).toEqual([400, 'VALIDATION_ERROR', 'title']);
    expect((await empty.get()).item.status).toBe('draft');
    expect(itemOf(await entry.publish()).status).toBe('published');
  });
  it('answers 409 SLUG_CONFLICT when the staged slug was taken meanwhile, and stays as it was', async () => {
    const entry = await make();
    await entry.publish();
    await entry.put({ slug: 'contested' });
    await make('posts', {}, { slug: 'contested' });
    expect(statusAndCode(await entry.publish())).toEqual([409, 'SLUG_CONFLICT']);
    expect((await entry.get()).item).toMatchObject({ slug: entry.item.slug, status: 'published' });
  });
  it('answers 409 CONFLICT naming the unique field whose staged value was taken meanwhile', async () => {
    const entry = await make('posts', { sku: 'old' });
    await entry.publish();
    await entry.put({ data: { sku: 'wanted' } });
    await make('posts', { sku: 'wanted' });
    const answer = await entry.publish();
    expect(statusAndCode(answer)).toEqual([409, 'CONFLICT']);
    expect(answer.error.message).toContain('sku');
    expect((await entry.get()).item.liveData.sku).toBe('old');
  });
  it('cancels a pending schedule', async () => {
    const entry = await make();
    await entry.schedule();
    expect(itemOf(await entry.publish())).toMatchObject({ status: 'published', scheduledAt: null });
  });
  it('publishes once when 20 requests race', async () => {
    const entry = await make();
    await entry.put({ data: { body: 'new' } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => entry.publish()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ data }) => data.item.publishedAt as string)).size).toBe(1);
    expect((await entry.get()).item).toMatchObject({ data: { body: 'new' }, draftRevisionId: null });
  });
});

describe('unpublishContent', () => {
  it.each(['posts', 'drafted', 'plain'])(
    'takes the entry off the live site, and keeps content and publication date: %s',
    async (collection) => {
      const entry = await make(collection);
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
    const entry = await make();
    await entry.publish();
    await entry.schedule();
    expect(itemOf(await entry.unpublish())).toMatchObject({ status: 'draft', scheduledAt: null });
  });
  it('makes the live values a draft on a collection with revisions, unless one is staged already', async () => {
    const entry = await make();
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
  it('succeeds without a change when the entry is not published', async () => {
    const entry = await make();
    expect(itemOf(await entry.unpublish())).toEqual(entry.item);
    await entry.schedule();
    expect(itemOf(await entry.unpublish())).toMatchObject({ status: 'scheduled', scheduledAt: future });
  });
});

describe('scheduleContent and unscheduleContent', () => {
  it('schedule a draft for a future publication, and cancel it', async () => {
    const entry = await make();
    expect(itemOf(await entry.schedule('2099-01-01T01:00:00+01:00'))).toMatchObject({
      status: 'scheduled',
      scheduledAt: future,
      publishedAt: null,
    });
    expect(itemOf(await entry.unschedule())).toMatchObject({ status: 'draft', scheduledAt: null });
  });
  it('leave a published entry published', async () => {
    const entry = await make();
    await entry.publish();
    expect(itemOf(await entry.schedule())).toMatchObject({ status: 'published', scheduledAt: future });
    expect(itemOf(await entry.unschedule())).toMatchObject({ status: 'published', scheduledAt: null });
  });
  it('replace the time when asked again', async () => {
    const entry = await make();
    await entry.schedule();
    expect(itemOf(await entry.schedule('2098-01-01T00:00:00Z')).scheduledAt).toBe('2098-01-01T00:00:00.000Z');
    const rows = await site.sql('SELECT scheduled_at FROM cms_content.schedules WHERE entry_id = $1', [
      entry.id,
    ]);
    expect(rows).toEqual([{ scheduled_at: new Date('2098-01-01T00:00:00Z') }]);
  });
  it('succeed without a change when nothing is scheduled', async () => {
    const entry = await make();
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
  ])('refuse the time %j', async (scheduledAt) => {
    const entry = await make();
    const answer = await admin.post(`${entry.path}/schedule`, { scheduledAt });
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'scheduledAt',
    ]);
    expect((await entry.get()).item).toEqual(entry.item);
  });
  it('need a slug on a routable collection', async () => {
    expect(statusAndCode(await (await make('posts', { title: null })).schedule())).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await (await make('unrouted', { title: null })).schedule()).status).toBe(200);
  });
  it('publish the entry, and the draft of a published one, when the time has come', async () => {
    const [draft, live, cancelled, trashed] = await Promise.all([make(), make(), make(), make()]);
    await live.publish();
    await live.put({ data: { body: 'staged' } });
    const soon = new Date(Date.now() + 1_500).toISOString();
    for (const entry of [draft, live, cancelled, trashed]) itemOf(await entry.schedule(soon));
    await cancelled.unschedule();
    await trashed.remove();
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
