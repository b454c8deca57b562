import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, itemOf, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  await site.collection({ slug: 'drafted', supports: ['drafts'] });
  await site.collection({ slug: 'plain', supports: [] });
});

const create = (collection?: string, data?: object, more?: object) =>
  createEntry(admin, collection, data, more);

describe('DELETE /content/{collection}/{id}', () => {
  it('moves the entry to the trash unchanged', async () => {
    const entry = await create();
    await entry.publish();
    const live = (await entry.get()).item;
    expect((await entry.remove()).data).toEqual({ deleted: true, id: entry.id });
    expect(statusAndCode(await admin.get(entry.path))).toEqual([404, 'NOT_FOUND']);
    const trash = (await admin.get('/content/posts/trash')).data.items[0];
    expect(trash).toMatchObject({
      id: entry.id,
      status: 'published',
      updatedAt: live.updatedAt,
      data: live.data,
      locale: 'en',
    });
  });
  it('returns 404 NOT_FOUND for a repeated request, and 200 once when 10 requests race', async () => {
    const entry = await create();
    const responses = await Promise.all(Array.from({ length: 10 }, () => entry.remove()));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 404),
    ]);
    expect(statusAndCode(await entry.remove())).toEqual([404, 'NOT_FOUND']);
  });
  it('accepts a slug, and true or false as overrideLock', async () => {
    const entry = await create();
    expect((await admin.delete(`/content/posts/${entry.item.slug}?overrideLock=true`)).data.id).toBe(
      entry.id,
    );
    const other = await create();
    expect(statusAndCode(await admin.delete(`${other.path}?overrideLock=yes`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
  it('lets every other operation return 404', async () => {
    const entry = await create();
    await entry.remove();
    const responses = [
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
    for (const response of responses) expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    expect(
      (await admin.get('/content/posts?limit=100')).data.items.some(
        ({ id }: { id: string }) => id === entry.id,
      ),
    ).toBe(false);
  });
});

describe('POST /content/{collection}/{id}/restore', () => {
  it('restores published and scheduled entries as drafts without a schedule', async () => {
    for (const collection of ['posts', 'drafted', 'plain']) {
      const entry = await create(collection);
      const live = itemOf(await entry.publish());
      await entry.schedule();
      await entry.remove();
      const { data } = await entry.restore();
      expect(data.restored).toBe(true);
      expect(data.item).toMatchObject({
        status: 'draft',
        scheduledAt: null,
        liveRevisionId: null,
        data: live.data,
        publishedAt: live.publishedAt,
      });
      expect((await entry.get()).item.data).toEqual(live.data);
    }
  });
  it('keeps a staged draft', async () => {
    const entry = await create();
    await entry.publish();
    await entry.put({ data: { body: 'staged' } });
    await entry.remove();
    expect((await entry.restore()).data.item.data.body).toBe('staged');
  });
  it('accepts the slug of a trashed entry', async () => {
    const entry = await create();
    await entry.remove();
    expect((await admin.post(`/content/posts/${entry.item.slug}/restore`)).data.item.id).toBe(entry.id);
  });
  it('returns 404 NOT_FOUND for an entry outside the trash', async () => {
    const entry = await create();
    expect(statusAndCode(await entry.restore())).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.post('/content/posts/none/restore'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('DELETE /content/{collection}/{id}/permanent', () => {
  it('deletes a trashed entry with its revisions, and frees its slug', async () => {
    const entry = await create();
    await entry.publish();
    await entry.put({ data: { body: 'x' } });
    await entry.remove();
    expect((await admin.delete(`${entry.path}/permanent`)).data).toEqual({ deleted: true, id: entry.id });
    expect(statusAndCode(await entry.restore())).toEqual([404, 'NOT_FOUND']);
    expect(await site.sql('SELECT 1 FROM revisions WHERE entry_id = $1', [entry.id])).toEqual([]);
    expect(itemOf(await admin.post('/content/posts', { data: {}, slug: entry.item.slug })).slug).toBe(
      entry.item.slug,
    );
  });
  it('returns 404 NOT_FOUND for an entry outside the trash', async () => {
    const entry = await create();
    expect(statusAndCode(await admin.delete(`${entry.path}/permanent`))).toEqual([404, 'NOT_FOUND']);
    expect((await entry.get()).item.id).toBe(entry.id);
  });
});
