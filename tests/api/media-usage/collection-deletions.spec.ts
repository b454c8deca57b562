import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, statusAndCode, walkPages } from '@quire/testing';
import { imageOf, insertRow, UsageSite, useUsageSite } from './support.js';

const usageSite = useUsageSite();
beforeEach(() =>
  usageSite.site.sql('DELETE FROM cms_media.usage_deletions WHERE tenant_id = $1', [usageSite.site.tenant]),
);

/** Inserts a deletion that no worker claims: it has failed, or is due in the far future. */
const insertDeletion = (collectionId: string, columns: Record<string, unknown> = {}) =>
  insertRow(usageSite.site, 'cms_media.usage_deletions', {
    tenant_id: usageSite.site.tenant,
    collection_id: collectionId,
    collection_slug: 'deleted',
    state: 'failed',
    phase: 'sources',
    attempts: 8,
    due_at: '2099-01-01T00:00:00.000Z',
    last_error_code: 'DELETION_FAILED',
    ...columns,
  });
const path = '/admin/media-usage/collection-deletions';
const list = (query = '') => usageSite.admin.get(`${path}${query}`);
const retry = (body: unknown = { collectionId: 'c1' }) => usageSite.admin.post(`${path}/retry`, body);

describe('GET /admin/media-usage/collection-deletions', () => {
  it('returns failed deletions by default', async () => {
    await insertDeletion('c1');
    await insertDeletion('c2', { state: 'retry' });
    expect((await list()).data).toEqual({
      items: [
        {
          collectionId: 'c1',
          collectionSlug: 'deleted',
          state: 'failed',
          phase: 'sources',
          attemptCount: 8,
          nextAttemptAt: '2099-01-01T00:00:00.000Z',
          leaseExpiresAt: null,
          lastErrorCode: 'DELETION_FAILED',
          updatedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect((await list('?state=retry')).data.items).toMatchObject([{ collectionId: 'c2' }]);
  });

  it.each([1, 2, 3, 4])('returns each deletion once in pages of %i', async (limit) => {
    for (const id of ['c3', 'c1', 'c2']) await insertDeletion(id);
    const items = await walkPages<{ collectionId: string }>(usageSite.admin, `${path}?limit=${limit}`);
    expect(items.map(({ collectionId }) => collectionId)).toEqual(['c1', 'c2', 'c3']);
  });

  it('returns 400 for an unknown state and for a cursor of other filters', async () => {
    expect(statusAndCode(await list('?state=lost'))).toEqual([400, 'VALIDATION_ERROR']);
    for (const id of ['c1', 'c2']) await insertDeletion(id);
    const { nextCursor } = (await list('?limit=1')).data;
    expect(statusAndCode(await list(`?state=retry&cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });

  it('returns no deletion of another site', async () => {
    await insertDeletion('c1');
    const other = await UsageSite.open();
    expect((await other.admin.get(path)).data).toEqual({ items: [] });
    expect(statusAndCode(await other.admin.post(`${path}/retry`, { collectionId: 'c1' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    await other.close();
  });
});

describe('POST /admin/media-usage/collection-deletions/retry', () => {
  it('resumes the deletion at its last phase', async () => {
    const id = await usageSite.media();
    await usageSite.entry({ hero: imageOf(id) });
    await usageSite.repair();
    // The collection still exists: a late message from before the deletion would subscribe to it again.
    await usageSite.admin.post('/schema/collections/posts/fields', {
      slug: 'more',
      label: 'More',
      type: 'image',
    });
    await eventuallyPasses(
      () => usageSite.coverage(),
      (status) => expect(status).toBe('stale'),
    );
    const [{ id: collectionId = '' } = {}] = await usageSite.site.sql<{ id: string }>(
      'SELECT id FROM collections',
    );
    await insertDeletion(collectionId);
    expect(await usageSite.countOf(id)).toBe(0);
    // Usage of a collection that exists is not deleted: an import may have created it again with its id.
    await usageSite.site.sql('DELETE FROM collections WHERE id = $1', [collectionId]);
    expect(await retry({ collectionId })).toMatchObject({
      status: 200,
      data: { changed: true, item: { state: 'pending', phase: 'sources', attemptCount: 0 } },
    });
    await eventuallyPasses(
      () =>
        usageSite.site.sql('SELECT 1 FROM cms_media.usage_deletions WHERE collection_id = $1', [
          collectionId,
        ]),
      (rows) => expect(rows).toEqual([]),
    );
    expect(await usageSite.site.sql('SELECT 1 FROM media_usage_entries')).toEqual([]);
    expect(await usageSite.site.sql('SELECT 1 FROM media_usage_coverage')).toEqual([]);
  });

  it('changes nothing for a pending deletion', async () => {
    await insertDeletion('c1', { state: 'pending' });
    expect(await retry()).toMatchObject({
      status: 200,
      data: { changed: false, item: { state: 'pending' } },
    });
  });

  it('returns 409 WORK_LEASE_ACTIVE while a worker holds the lease', async () => {
    const leaseExpiresAt = '2099-01-01T00:00:00.000Z';
    await insertDeletion('c1', { state: 'leased', lease_token: 'other', lease_expires_at: leaseExpiresAt });
    const response = await retry();
    expect([...statusAndCode(response), response.error.details]).toEqual([
      409,
      'WORK_LEASE_ACTIVE',
      { leaseExpiresAt },
    ]);
  });

  it('returns 404 NOT_FOUND for an unknown deletion', async () => {
    expect(statusAndCode(await retry())).toEqual([404, 'NOT_FOUND']);
  });

  it.each([{}, [], { collectionId: '' }, { collectionId: 'c1', force: true }])(
    'returns 400 for the body %j',
    async (body) => {
      expect(statusAndCode(await retry(body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
