import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, itemOf, statusAndCode, useSite, type Client } from '@quire/testing';
import { future, textFields } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({
    slug: 'posts',
    fields: [...textFields, { slug: 'sku', type: 'string', unique: true }],
  });
  await site.collection({ slug: 'drafted', supports: ['drafts'] });
  await site.collection({
    slug: 'copies',
    supports: ['drafts', 'revisions', 'seo'],
    fields: [...textFields, { slug: 'note', type: 'string', defaultValue: 'noted' }],
  });
});

const create = (collection?: string, data?: object, more?: object) =>
  createEntry(admin, collection, data, more);

describe('POST /content/{collection}/{id}/duplicate', () => {
  it('creates a draft from the staged values, with a new slug and translation group', async () => {
    const entry = await create('copies', { title: 'Original', note: 'n' }, { seo: { title: 'Seo' } });
    await entry.publish();
    await entry.put({ data: { title: 'Changed' } });
    const response = await entry.duplicate();
    expect(response.status).toBe(201);
    const copy = response.data.item;
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
  it('omits cleared fields, also those with a default', async () => {
    const entry = await create('copies', { note: null });
    expect(itemOf(await entry.duplicate()).data).not.toHaveProperty('note');
  });
  it('sets the caller as author', async () => {
    const editor = await site.as('editor');
    const entry = await create();
    const copy = itemOf(await editor.post(`${entry.path}/duplicate`));
    expect(copy.authorId).not.toBe(entry.item.authorId);
  });
  it('returns 409 CONFLICT for an entry with a unique value', async () => {
    expect(statusAndCode(await (await create('posts', { sku: 'unique' })).duplicate())).toEqual([
      409,
      'CONFLICT',
    ]);
  });
  it('returns 400 VALIDATION_ERROR for stored values that are no longer valid', async () => {
    await site.collection({
      slug: 'linked',
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'link', type: 'url' },
      ],
    });
    const { item } = (await admin.post('/content/linked', { data: { title: 'Old', link: '/x' } })).data;
    await site.sql(`UPDATE content_linked SET link = 'javascript:alert(1)' WHERE id = $1`, [item.id]);
    const response = await admin.post(`/content/linked/${item.id}/duplicate`);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', 'link']);
  });
  it('generates 20 slugs when 20 requests race', async () => {
    const entry = await create();
    const responses = await Promise.all(Array.from({ length: 20 }, () => entry.duplicate()));
    expect(new Set(responses.map((response) => itemOf(response).slug as string)).size).toBe(20);
  });
});

describe('POST /content/{collection}/{id}/discard-draft', () => {
  it.each(['posts', 'drafted'])(
    'removes the draft with its staged slug and keeps the live version: %s',
    async (collection) => {
      const entry = await create(collection);
      const live = itemOf(await entry.publish());
      await entry.put({ data: { title: 'Staged' }, slug: `unwanted-${collection}` });
      const item = itemOf(await entry.discard());
      expect(item).toMatchObject({
        data: live.data,
        draftRevisionId: null,
        status: 'published',
        updatedAt: live.updatedAt,
        slug: live.slug,
      });
      expect(item).not.toHaveProperty('liveData');
      expect(itemOf(await entry.publish())).toMatchObject({ data: live.data, slug: live.slug });
    },
  );
  it('returns 200 without a change when nothing is staged', async () => {
    const entry = await create();
    expect(itemOf(await entry.discard())).toEqual(entry.item);
  });
});

describe('GET /content/{collection}/{id}/compare', () => {
  it('returns the live and the staged version where they exist', async () => {
    const entry = await create();
    expect(await entry.compare()).toEqual({ hasChanges: false, live: null, draft: null });
    await entry.put({ data: { body: 'first' } });
    expect(await entry.compare()).toEqual({
      hasChanges: true,
      live: null,
      draft: { ...entry.item.data, body: 'first' },
    });
    await entry.publish();
    const live = { ...entry.item.data, body: 'first' };
    expect(await entry.compare()).toEqual({ hasChanges: false, live, draft: null });
    await entry.put({ data: { title: null }, slug: 'compared' });
    expect(await entry.compare()).toEqual({
      hasChanges: true,
      live,
      draft: { body: 'first', _slug: 'compared' },
    });
  });
});

describe('_rev of publish, unpublish, discard-draft and schedule', () => {
  it('returns 409 CONFLICT for a stale _rev and 200 for the current one', async () => {
    const entry = await create();
    const { _rev: stale } = await entry.get();
    await entry.put({ data: { body: 'x' } });
    for (const transition of [entry.publish, entry.unpublish, entry.discard]) {
      expect(statusAndCode(await transition({ _rev: stale }))).toEqual([409, 'CONFLICT']);
      expect(statusAndCode(await transition({ _rev: 'nonsense' }))).toEqual([409, 'CONFLICT']);
    }
    expect(
      statusAndCode(await admin.post(`${entry.path}/schedule`, { scheduledAt: future, _rev: stale })),
    ).toEqual([409, 'CONFLICT']);
    const { _rev } = await entry.get();
    const published = await entry.publish({ _rev });
    expect([published.status, typeof published.data?._rev]).toEqual([200, 'string']);
    expect((await entry.unpublish({ _rev: published.data._rev })).status).toBe(200);
  });
});

describe('status transitions of /content/{collection}/{id}', () => {
  it('return 404 NOT_FOUND for an unknown entry', async () => {
    const path = '/content/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV';
    for (const operation of ['publish', 'unpublish', 'duplicate', 'restore', 'discard-draft']) {
      expect(statusAndCode(await admin.post(`${path}/${operation}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect(statusAndCode(await admin.post(`${path}/schedule`, { scheduledAt: future }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    for (const operation of ['', '/schedule', '/permanent'])
      expect(statusAndCode(await admin.delete(path + operation))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get(`${path}/compare`))).toEqual([404, 'NOT_FOUND']);
  });
  it('resolve a slug in the given locale', async () => {
    const english = await create('posts', {}, { slug: 'in-two' });
    const german = await create('posts', {}, { slug: 'in-two', locale: 'de' });
    expect(itemOf(await admin.post('/content/posts/in-two/publish?locale=de')).id).toBe(german.id);
    expect(itemOf(await admin.post('/content/posts/in-two/publish')).id).toBe(english.id);
  });
});
