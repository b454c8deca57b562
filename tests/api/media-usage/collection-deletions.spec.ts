import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, statusAndCode, walkPages } from '@quire/testing';
import { imageOf, UsageSite } from './support/usage-site.js';

let usageSite: UsageSite;
beforeAll(async () => {
  usageSite = await UsageSite.open();
});
afterAll(() => usageSite.close());
beforeEach(() =>
  usageSite.site.sql('DELETE FROM cms_media.usage_deletions WHERE tenant_id = $1', [usageSite.site.tenant]),
);

/** A deletion that no worker takes on: it failed for good, or its time is far away. */
const stored = (collectionId: string, columns: Record<string, unknown> = {}) => {
  const row = {
    tenant_id: usageSite.site.tenant,
    collection_id: collectionId,
    collection_slug: 'gone',
    state: 'failed',
    phase: 'sources',
    attempts: 8,
    due_at: '2099-01-01T00:00:00.000Z',
    last_error_code: 'DELETION_FAILED',
    ...columns,
  };
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  return usageSite.site.sql(
    `INSERT INTO cms_media.usage_deletions (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
};
const path = '/admin/media-usage/collection-deletions';
const list = (query = '') => usageSite.admin.get(`${path}${query}`);
const retry = (body: unknown = { collectionId: 'c1' }) => usageSite.admin.post(`${path}/retry`, body);

describe('listMediaUsageCollectionDeletions', () => {
  it('lists failed deletions by default', async () => {
    await stored('c1');
    await stored('c2', { state: 'retry' });
    expect((await list()).data).toEqual({
      items: [
        {
          collectionId: 'c1',
          collectionSlug: 'gone',
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

  it.each([1, 2, 3, 4])('walked in pages of %i gives each once', async (limit) => {
    for (const id of ['c3', 'c1', 'c2']) await stored(id);
    const items = await walkPages<{ collectionId: string }>(usageSite.admin, `${path}?limit=${limit}`);
    expect(items.map(({ collectionId }) => collectionId)).toEqual(['c1', 'c2', 'c3']);
  });

  it('refuses a state that there is not, and a cursor of another list', async () => {
    expect(statusAndCode(await list('?state=lost'))).toEqual([400, 'VALIDATION_ERROR']);
    for (const id of ['c1', 'c2']) await stored(id);
    const { nextCursor } = (await list('?limit=1')).data;
    expect(statusAndCode(await list(`?state=retry&cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });

  it("does not see another site's", async () => {
    await stored('c1');
    const other = await UsageSite.open();
    expect((await other.admin.get(path)).data).toEqual({ items: [] });
    expect(statusAndCode(await other.admin.post(`${path}/retry`, { collectionId: 'c1' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    await other.close();
  });
});

describe('retryMediaUsageCollectionDeletion', () => {
  it('resumes the deletion at its last phase', async () => {
    const id = await usageSite.media();
    await usageSite.entry({ hero: imageOf(id) });
    await usageSite.repair();
    // Nobody has really deleted the collection: a message of before that comes late would have it followed again.
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
    await stored(collectionId);
    expect(await usageSite.countOf(id)).toBe(0);
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

  it('changes nothing about a pending one', async () => {
    await stored('c1', { state: 'pending' });
    expect(await retry()).toMatchObject({
      status: 200,
      data: { changed: false, item: { state: 'pending' } },
    });
  });

  it('returns WORK_LEASE_ACTIVE while a worker holds the lease', async () => {
    const leaseExpiresAt = '2099-01-01T00:00:00.000Z';
    await stored('c1', { state: 'leased', lease_token: 'other', lease_expires_at: leaseExpiresAt });
    const answer = await retry();
    expect([...statusAndCode(answer), answer.error.details]).toEqual([
      409,
      'WORK_LEASE_ACTIVE',
      { leaseExpiresAt },
    ]);
  });

  it('of one that there is not is NOT_FOUND', async () => {
    expect(statusAndCode(await retry())).toEqual([404, 'NOT_FOUND']);
  });

  it.each([{}, [], { collectionId: '' }, { collectionId: 'c1', force: true }])(
    'refuses the body %j',
    async (body) => {
      expect(statusAndCode(await retry(body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
