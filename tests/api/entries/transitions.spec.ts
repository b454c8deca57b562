import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, outcome, type Answer, type Client, type Site } from '@quire/testing';

const future = '2099-01-01T00:00:00.000Z';
const usual = [{ slug: 'title', type: 'string' as const }, { slug: 'body', type: 'text' as const }];

let site: Site;
let admin: Client;
let author: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  author = await site.as('author');
  await site.collection({ slug: 'posts', fields: [...usual, { slug: 'sku', type: 'string', unique: true }] });
  await site.collection({ slug: 'drafted', supports: ['drafts'] });
  await site.collection({ slug: 'plain', supports: [] });
  await site.collection({ slug: 'unrouted', routable: false });
  await site.collection({ slug: 'copies', supports: ['drafts', 'revisions', 'seo'], fields: [...usual, { slug: 'note', type: 'string', defaultValue: 'noted' }] });
});
afterAll(() => site.close());

let count = 0;

async function make(collection = 'posts', data: object = {}, more: object = {}) {
  count += 1;
  const { item } = (await admin.post(`/content/${collection}`, { data: { title: `Entry ${count}`, body: 'old', ...data }, ...more })).data;
  const path = `/content/${collection}/${item.id}`;
  return {
    id: item.id as string,
    slug: item.slug as string,
    item,
    path,
    get: async () => (await admin.get(path)).data,
    put: (body: object) => admin.put(path, body),
    publish: (body?: object) => admin.post(`${path}/publish`, body),
    unpublish: (body?: object) => admin.post(`${path}/unpublish`, body),
    schedule: (scheduledAt: unknown = future) => admin.post(`${path}/schedule`, { scheduledAt }),
    unschedule: () => admin.delete(`${path}/schedule`),
    discard: (body?: object) => admin.post(`${path}/discard-draft`, body),
    remove: () => admin.delete(path),
    restore: () => admin.post(`${path}/restore`),
    duplicate: () => admin.post(`${path}/duplicate`),
    compare: async () => (await admin.get(`${path}/compare`)).data,
  };
}

const itemOf = ({ status, data, body }: Answer) => {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return data.item;
};

describe('publishContent', () => {
  it.each(['posts', 'drafted', 'plain', 'unrouted'])('makes a draft live, now: %s', async (collection) => {
    const entry = await make(collection);
    const before = Date.now() - 1_000;
    const item = itemOf(await entry.publish());
    expect(item).toMatchObject({ status: 'published', data: entry.item.data, scheduledAt: null, draftRevisionId: null, version: 2 });
    expect(Date.parse(item.publishedAt)).toBeGreaterThan(before);
    expect(item.liveRevisionId === null).toBe(['drafted', 'plain'].includes(collection));
  });
  it.each(['posts', 'drafted'])('makes the staged draft the live version: %s', async (collection) => {
    const entry = await make(collection);
    await entry.publish();
    await entry.put({ data: { title: 'Next', body: null }, slug: `next-${collection}` });
    expect(itemOf(await entry.publish())).toMatchObject({ data: { title: 'Next' }, slug: `next-${collection}`, draftRevisionId: null });
    expect((await entry.get()).item).not.toHaveProperty('liveData');
    expect((await entry.get()).item.data).not.toHaveProperty('body');
    expect((await admin.get(`/content/${collection}/next-${collection}`)).data.item.id).toBe(entry.id);
    expect(outcome(await admin.get(`/content/${collection}/${entry.slug}`))).toEqual([404, 'NOT_FOUND']);
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
    expect(itemOf(await entry.publish({ publishedAt: '2020-01-01T00:00:00+01:00' })).publishedAt).toBe('2019-12-31T23:00:00.000Z');
    expect(itemOf(await entry.publish()).publishedAt).toBe('2019-12-31T23:00:00.000Z');
  });
  it('needs content:publish_any for a given publication date', async () => {
    const { item } = (await author.post('/content/posts', { data: { title: 'Mine' } })).data;
    expect(outcome(await author.post(`/content/posts/${item.id}/publish`, { publishedAt: future }))).toEqual([403, 'FORBIDDEN']);
    expect((await author.post(`/content/posts/${item.id}/publish`)).status).toBe(200);
  });
  it.each(['2020-01-01', 'soon', 5])('refuses the publication date %j', async (publishedAt) => {
    const answer = await (await make()).publish({ publishedAt });
    expect([...outcome(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'publishedAt']);
  });
  it('takes an empty body with and without a Content-Type, and {}', async () => {
    const json = { headers: { 'content-type': 'application/json' } };
    for (const operation of ['publish', 'unpublish', 'discard-draft', 'duplicate']) {
      const { path } = await make();
      for (const answer of [await admin.post(`${path}/${operation}`), await admin.post(`${path}/${operation}`, undefined, json), await admin.post(`${path}/${operation}`, {})]) {
        expect([operation, [200, 201].includes(answer.status)]).toEqual([operation, true]);
      }
    }
  });
  it('needs a slug on a routable collection, staged or live', async () => {
    const entry = await make('posts', { title: null });
    const refusal = await entry.publish();
    expect(outcome(refusal)).toEqual([400, 'VALIDATION_ERROR']);
    expect(refusal.error.message).toContain('slug');
    await entry.put({ slug: 'late-slug' });
    expect(itemOf(await entry.publish())).toMatchObject({ slug: 'late-slug', status: 'published' });
    expect(itemOf(await (await make('unrouted', { title: null })).publish())).toMatchObject({ slug: null, status: 'published' });
  });
  it('holds required fields again: one that became required since must have a value', async () => {
    await site.collection({ slug: 'growing' });
    const entry = await make('growing', { body: null });
    await admin.put(entry.path, { data: { body: 'x' } });
    expect((await admin.put('/schema/collections/growing/fields/title', { required: true })).status).toBe(200);
    const empty = await make('growing');
    await site.sql(`UPDATE content_growing SET title = NULL WHERE id = $1`, [empty.id]);
    const refusal = await empty.publish();
    expect([...outcome(refusal), ...issuePaths(refusal)]).toEqual([400, 'VALIDATION_ERROR', 'title']);
    expect((await empty.get()).item.status).toBe('draft');
    expect(itemOf(await entry.publish()).status).toBe('published');
  });
  it('answers 409 SLUG_CONFLICT when the staged slug was taken meanwhile, and stays as it was', async () => {
    const entry = await make();
    await entry.publish();
    await entry.put({ slug: 'contested' });
    await make('posts', {}, { slug: 'contested' });
    expect(outcome(await entry.publish())).toEqual([409, 'SLUG_CONFLICT']);
    expect((await entry.get()).item).toMatchObject({ slug: entry.slug, status: 'published' });
  });
  it('answers 409 CONFLICT naming the unique field whose staged value was taken meanwhile', async () => {
    const entry = await make('posts', { sku: 'old' });
    await entry.publish();
    await entry.put({ data: { sku: 'wanted' } });
    await make('posts', { sku: 'wanted' });
    const answer = await entry.publish();
    expect(outcome(answer)).toEqual([409, 'CONFLICT']);
    expect(answer.error.message).toContain('sku');
    expect((await entry.get()).item.liveData.sku).toBe('old');
  });
  it('cancels a pending schedule', async () => {
    const entry = await make();
    await entry.schedule();
    expect(itemOf(await entry.publish())).toMatchObject({ status: 'published', scheduledAt: null });
  });
  it('publishes once and leaves one state when twenty ask at once', async () => {
    const entry = await make();
    await entry.put({ data: { body: 'new' } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => entry.publish()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ data }) => data.item.publishedAt as string)).size).toBe(1);
    expect((await entry.get()).item).toMatchObject({ data: { body: 'new' }, draftRevisionId: null });
  });
});

describe('unpublishContent', () => {
  it.each(['posts', 'drafted', 'plain'])('takes the entry off the live site, and keeps content and publication date: %s', async (collection) => {
    const entry = await make(collection);
    const live = itemOf(await entry.publish());
    const item = itemOf(await entry.unpublish());
    expect(item).toMatchObject({ status: 'draft', data: live.data, publishedAt: live.publishedAt, liveRevisionId: null, version: live.version + 1 });
    expect((await entry.get()).item.data).toEqual(live.data);
    expect(itemOf(await entry.publish()).publishedAt).toBe(live.publishedAt);
  });
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
    expect(itemOf(await entry.unpublish())).toMatchObject({ draftRevisionId: staged.draftRevisionId, data: { body: 'staged' } });
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
    expect(itemOf(await entry.schedule('2099-01-01T01:00:00+01:00'))).toMatchObject({ status: 'scheduled', scheduledAt: future, publishedAt: null });
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
    const rows = await site.sql('SELECT due_at FROM cms_content.schedules WHERE entry_id = $1', [entry.id]);
    expect(rows).toEqual([{ due_at: new Date('2098-01-01T00:00:00Z') }]);
  });
  it('succeed without a change when nothing is scheduled', async () => {
    const entry = await make();
    expect(itemOf(await entry.unschedule())).toEqual(entry.item);
  });
  it.each([undefined, null, '', 'tomorrow', '2099-01-01', '2099-01-01T00:00:00', '2000-01-01T00:00:00Z', 4102444800])('refuse the time %j', async (scheduledAt) => {
    const entry = await make();
    const answer = await admin.post(`${entry.path}/schedule`, { scheduledAt });
    expect([...outcome(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'scheduledAt']);
    expect((await entry.get()).item).toEqual(entry.item);
  });
  it('need a slug on a routable collection', async () => {
    expect(outcome(await (await make('posts', { title: null })).schedule())).toEqual([400, 'VALIDATION_ERROR']);
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
    const deadline = Date.now() + 12_000;
    const isDone = async () => (await draft.get()).item.status === 'published' && (await live.get()).item.scheduledAt === null;
    while (!(await isDone()) && Date.now() < deadline) await wait(100);
    expect((await draft.get()).item).toMatchObject({ status: 'published', scheduledAt: null });
    expect((await live.get()).item).toMatchObject({ status: 'published', scheduledAt: null, data: { body: 'staged' }, draftRevisionId: null });
    expect((await cancelled.get()).item.status).toBe('draft');
    expect(itemOf(await trashed.restore())).toMatchObject({ status: 'draft', scheduledAt: null });
    await wait(500);
    expect((await trashed.get()).item.status).toBe('draft');
  });
});

describe('deleteContent', () => {
  it('moves the entry to the trash without touching it', async () => {
    const entry = await make();
    await entry.publish();
    const live = (await entry.get()).item;
    expect((await entry.remove()).data).toEqual({ deleted: true, id: entry.id });
    expect(outcome(await admin.get(entry.path))).toEqual([404, 'NOT_FOUND']);
    const trash = (await admin.get('/content/posts/trash')).data.items[0];
    expect(trash).toMatchObject({ id: entry.id, status: 'published', updatedAt: live.updatedAt, data: live.data, locale: 'en' });
  });
  it('answers 404 NOT_FOUND the second time, and to nine of ten at once', async () => {
    const entry = await make();
    const answers = await Promise.all(Array.from({ length: 10 }, () => entry.remove()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    expect(outcome(await entry.remove())).toEqual([404, 'NOT_FOUND']);
  });
  it('works by slug, and takes overrideLock as a query word', async () => {
    const entry = await make();
    expect((await admin.delete(`/content/posts/${entry.slug}?overrideLock=true`)).data.id).toBe(entry.id);
    const other = await make();
    expect(outcome(await admin.delete(`${other.path}?overrideLock=yes`))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('hides the entry from every other operation', async () => {
    const entry = await make();
    await entry.remove();
    const answers = [
      await entry.put({ data: {} }),
      await entry.publish(),
      await entry.unpublish(),
      await entry.schedule(),
      await entry.unschedule(),
      await entry.discard(),
      await entry.duplicate(),
      await admin.get(`${entry.path}/compare`),
      await admin.get(`${entry.path}/translations`),
      await admin.get(`${entry.path}/revisions`),
    ];
    for (const answer of answers) expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    expect((await admin.get('/content/posts?limit=100')).data.items.some(({ id }: { id: string }) => id === entry.id)).toBe(false);
  });
});

describe('restoreContent', () => {
  it('makes a draft without a schedule of what was published or scheduled', async () => {
    for (const collection of ['posts', 'drafted', 'plain']) {
      const entry = await make(collection);
      const live = itemOf(await entry.publish());
      await entry.schedule();
      await entry.remove();
      const { data } = await entry.restore();
      expect(data.restored).toBe(true);
      expect(data.item).toMatchObject({ status: 'draft', scheduledAt: null, liveRevisionId: null, data: live.data, publishedAt: live.publishedAt });
      expect((await entry.get()).item.data).toEqual(live.data);
    }
  });
  it('keeps a staged draft', async () => {
    const entry = await make();
    await entry.publish();
    await entry.put({ data: { body: 'staged' } });
    await entry.remove();
    expect((await entry.restore()).data.item.data.body).toBe('staged');
  });
  it('finds the trashed entry by its slug', async () => {
    const entry = await make();
    await entry.remove();
    expect((await admin.post(`/content/posts/${entry.slug}/restore`)).data.item.id).toBe(entry.id);
  });
  it('answers 404 NOT_FOUND for what is not in the trash', async () => {
    const entry = await make();
    expect(outcome(await entry.restore())).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await admin.post('/content/posts/none/restore'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('permanentDeleteContent', () => {
  it('removes a trashed entry with its revisions, and frees its slug', async () => {
    const entry = await make();
    await entry.publish();
    await entry.put({ data: { body: 'x' } });
    await entry.remove();
    expect((await admin.delete(`${entry.path}/permanent`)).data).toEqual({ deleted: true, id: entry.id });
    expect(outcome(await entry.restore())).toEqual([404, 'NOT_FOUND']);
    expect(await site.sql('SELECT 1 FROM revisions WHERE entry_id = $1', [entry.id])).toEqual([]);
    expect(itemOf(await admin.post('/content/posts', { data: {}, slug: entry.slug })).slug).toBe(entry.slug);
  });
  it('answers 404 NOT_FOUND for an entry that is not in the trash', async () => {
    const entry = await make();
    expect(outcome(await admin.delete(`${entry.path}/permanent`))).toEqual([404, 'NOT_FOUND']);
    expect((await entry.get()).item.id).toBe(entry.id);
  });
});

describe('duplicateContent', () => {
  it('makes a new draft of what the caller sees in an edit view, with a new slug and a group of its own', async () => {
    const entry = await make('copies', { title: 'Original', note: 'n' }, { seo: { title: 'Seo' } });
    await entry.publish();
    await entry.put({ data: { title: 'Changed' } });
    const answer = await entry.duplicate();
    expect(answer.status).toBe(201);
    const copy = answer.data.item;
    expect(copy).toMatchObject({
      status: 'draft',
      slug: 'changed-copy',
      data: { title: 'Changed (Copy)', body: 'old', note: 'n' },
      seo: { title: 'Seo' },
      publishedAt: null,
      scheduledAt: null,
      version: 1,
      locale: 'en',
      translationGroup: copy.id,
    });
    expect(copy.id).not.toBe(entry.id);
    expect(itemOf(await entry.duplicate()).slug).toBe('changed-copy-1');
  });
  it('leaves out what was cleared, whatever its default', async () => {
    const entry = await make('copies', { note: null });
    expect(itemOf(await entry.duplicate()).data).not.toHaveProperty('note');
  });
  it('belongs to the caller', async () => {
    const editor = await site.as('editor');
    const entry = await make();
    const copy = itemOf(await editor.post(`${entry.path}/duplicate`));
    expect(copy.authorId).not.toBe(entry.item.authorId);
  });
  it('answers 409 CONFLICT when a unique value would be there twice', async () => {
    expect(outcome(await (await make('posts', { sku: 'unique' })).duplicate())).toEqual([409, 'CONFLICT']);
  });
  it('answers 400 VALIDATION_ERROR for stored values that are no longer valid', async () => {
    await site.collection({ slug: 'linked', fields: [{ slug: 'title', type: 'string' }, { slug: 'link', type: 'url' }] });
    const { item } = (await admin.post('/content/linked', { data: { title: 'Old', link: '/x' } })).data;
    await site.sql(`UPDATE content_linked SET link = 'javascript:alert(1)' WHERE id = $1`, [item.id]);
    const answer = await admin.post(`/content/linked/${item.id}/duplicate`);
    expect([...outcome(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'link']);
  });
  it('gives twenty copies made at once twenty slugs', async () => {
    const entry = await make();
    const answers = await Promise.all(Array.from({ length: 20 }, () => entry.duplicate()));
    expect(new Set(answers.map((answer) => itemOf(answer).slug as string)).size).toBe(20);
  });
});

describe('discardDraft', () => {
  it.each(['posts', 'drafted'])('drops the draft and its staged slug, the live version stays: %s', async (collection) => {
    const entry = await make(collection);
    const live = itemOf(await entry.publish());
    await entry.put({ data: { title: 'Staged' }, slug: `unwanted-${collection}` });
    const item = itemOf(await entry.discard());
    expect(item).toMatchObject({ data: live.data, draftRevisionId: null, status: 'published', updatedAt: live.updatedAt, slug: live.slug });
    expect(item).not.toHaveProperty('liveData');
    expect(itemOf(await entry.publish())).toMatchObject({ data: live.data, slug: live.slug });
  });
  it('succeeds without a change when nothing is staged', async () => {
    const entry = await make();
    expect(itemOf(await entry.discard())).toEqual(entry.item);
  });
});

describe('compareContent', () => {
  it('shows nothing of a new draft, the draft when staged, both when published with a draft', async () => {
    const entry = await make();
    expect(await entry.compare()).toEqual({ hasChanges: false, live: null, draft: null });
    await entry.put({ data: { body: 'first' } });
    expect(await entry.compare()).toEqual({ hasChanges: true, live: null, draft: { ...entry.item.data, body: 'first' } });
    await entry.publish();
    const live = { ...entry.item.data, body: 'first' };
    expect(await entry.compare()).toEqual({ hasChanges: false, live, draft: null });
    await entry.put({ data: { title: null }, slug: 'compared' });
    expect(await entry.compare()).toEqual({ hasChanges: true, live, draft: { body: 'first', _slug: 'compared' } });
  });
});

describe('_rev in a transition', () => {
  it('answers 409 CONFLICT when it is stale, and lets a current one through', async () => {
    const entry = await make();
    const { _rev: stale } = await entry.get();
    await entry.put({ data: { body: 'x' } });
    for (const transition of [entry.publish, entry.unpublish, entry.discard]) {
      expect(outcome(await transition({ _rev: stale }))).toEqual([409, 'CONFLICT']);
      expect(outcome(await transition({ _rev: 'nonsense' }))).toEqual([409, 'CONFLICT']);
    }
    expect(outcome(await admin.post(`${entry.path}/schedule`, { scheduledAt: future, _rev: stale }))).toEqual([409, 'CONFLICT']);
    const { _rev } = await entry.get();
    const published = await entry.publish({ _rev });
    expect([published.status, typeof published.data?._rev]).toEqual([200, 'string']);
    expect((await entry.unpublish({ _rev: published.data._rev })).status).toBe(200);
  });
});

describe('every transition', () => {
  it('answers 404 NOT_FOUND for an unknown entry', async () => {
    const path = '/content/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV';
    for (const operation of ['publish', 'unpublish', 'duplicate', 'restore', 'discard-draft']) {
      expect(outcome(await admin.post(`${path}/${operation}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect(outcome(await admin.post(`${path}/schedule`, { scheduledAt: future }))).toEqual([404, 'NOT_FOUND']);
    for (const operation of ['', '/schedule', '/permanent']) expect(outcome(await admin.delete(path + operation))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await admin.get(`${path}/compare`))).toEqual([404, 'NOT_FOUND']);
  });
  it('resolves a slug in the given locale', async () => {
    const english = await make('posts', {}, { slug: 'in-two' });
    const german = await make('posts', {}, { slug: 'in-two', locale: 'de' });
    expect(itemOf(await admin.post('/content/posts/in-two/publish?locale=de')).id).toBe(german.id);
    expect(itemOf(await admin.post('/content/posts/in-two/publish')).id).toBe(english.id);
  });
});
