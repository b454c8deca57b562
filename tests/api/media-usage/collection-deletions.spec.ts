import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, outcome, walkPages } from '@quire/testing';
import { imageOf, UsageSite } from './lab/usage-site.js';

let lab: UsageSite;
beforeAll(async () => {
  lab = await UsageSite.open();
});
afterAll(() => lab.close());
beforeEach(() =>
  lab.site.sql('DELETE FROM cms_media.usage_deletions WHERE tenant_id = $1', [lab.site.tenant]),
);

/** A deletion that no worker takes on: it failed for good, or its time is far away. */
const stored = (collectionId: string, columns: Record<string, unknown> = {}) => {
  const row = {
    tenant_id: lab.site.tenant,
    collection_id: collectionId,
    collection_slug: 'gone',
    state: 'failed',
    phase: 'sources',
    attempt_count: 8,
    next_attempt_at: '2099-01-01T00:00:00.000Z',
    last_error_code: 'DELETION_FAILED',
    ...columns,
  };
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  return lab.site.sql(
    `INSERT INTO cms_media.usage_deletions (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
};
const path = '/admin/media-usage/collection-deletions';
const list = (query = '') => lab.admin.get(`${path}${query}`);
const retry = (body: unknown = { collectionId: 'c1' }) => lab.admin.post(`${path}/retry`, body);

describe('listMediaUsageCollectionDeletions', () => {
  it('tells of those that failed, unless others are asked for', async () => {
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
    const items = await walkPages<{ collectionId: string }>(lab.admin, `${path}?limit=${limit}`);
    expect(items.map(({ collectionId }) => collectionId)).toEqual(['c1', 'c2', 'c3']);
  });

  it('refuses a state that there is not, and a cursor of another list', async () => {
    expect(outcome(await list('?state=lost'))).toEqual([400, 'VALIDATION_ERROR']);
    for (const id of ['c1', 'c2']) await stored(id);
    const { nextCursor } = (await list('?limit=1')).data;
    expect(outcome(await list(`?state=retry&cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });

  it("does not see another site's", async () => {
    await stored('c1');
    const other = await UsageSite.open();
    expect((await other.admin.get(path)).data).toEqual({ items: [] });
    expect(outcome(await other.admin.post(`${path}/retry`, { collectionId: 'c1' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    await other.close();
  });
});

describe('retryMediaUsageCollectionDeletion', () => {
  it('has what is left of the collection forgotten at once, from the phase where it stopped', async () => {
    const id = await lab.media();
    await lab.entry({ hero: imageOf(id) });
    await lab.repair();
    // Nobody has really deleted the collection: a message of before that comes late would have it followed again.
    await lab.admin.post('/schema/collections/posts/fields', { slug: 'more', label: 'More', type: 'image' });
    await eventuallyPasses(
      () => lab.coverage(),
      (status) => expect(status).toBe('stale'),
    );
    const [{ id: collectionId = '' } = {}] = await lab.site.sql<{ id: string }>('SELECT id FROM collections');
    await stored(collectionId);
    expect(await lab.countOf(id)).toBe(0);
    expect(await retry({ collectionId })).toMatchObject({
      status: 200,
      data: { changed: true, item: { state: 'pending', phase: 'sources', attemptCount: 0 } },
    });
    await eventuallyPasses(
      () => lab.site.sql('SELECT 1 FROM cms_media.usage_deletions WHERE collection_id = $1', [collectionId]),
      (rows) => expect(rows).toEqual([]),
    );
    expect(await lab.site.sql('SELECT 1 FROM media_usage_entries')).toEqual([]);
    expect(await lab.site.sql('SELECT 1 FROM media_usage_coverage')).toEqual([]);
  });

  it('changes nothing about a pending one', async () => {
    await stored('c1', { state: 'pending' });
    expect(await retry()).toMatchObject({
      status: 200,
      data: { changed: false, item: { state: 'pending' } },
    });
  });

  it('is refused while a worker is at it', async () => {
    const leaseExpiresAt = '2099-01-01T00:00:00.000Z';
    await stored('c1', { state: 'leased', lease_token: 'other', lease_expires_at: leaseExpiresAt });
    const answer = await retry();
    expect([...outcome(answer), answer.error.details]).toEqual([
      409,
      'WORK_LEASE_ACTIVE',
      { leaseExpiresAt },
    ]);
  });

  it('of one that there is not is NOT_FOUND', async () => {
    expect(outcome(await retry())).toEqual([404, 'NOT_FOUND']);
  });

  it.each([{}, [], { collectionId: '' }, { collectionId: 'c1', force: true }])(
    'refuses the body %j',
    async (body) => {
      expect(outcome(await retry(body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
