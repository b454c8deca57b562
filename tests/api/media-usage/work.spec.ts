import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, statusAndCode, walkPages } from '@quire/testing';
import pg from 'pg';
import { insertRow, UsageSite, useUsageSite } from './support.js';

const usageSite = useUsageSite();
beforeEach(() =>
  usageSite.site.sql('DELETE FROM cms_media.usage_work WHERE tenant_id = $1', [usageSite.site.tenant]),
);

/** Inserts work that no worker claims: it has failed, or is due in the far future. */
const insertWork = (contentId: string, columns: Record<string, unknown> = {}, collectionId = 'c1') =>
  insertRow(usageSite.site, 'cms_media.usage_work', {
    tenant_id: usageSite.site.tenant,
    collection_id: collectionId,
    collection_slug: 'posts',
    content_id: contentId,
    state: 'failed',
    attempts: 8,
    due_at: '2099-01-01T00:00:00.000Z',
    last_attempted_at: '2025-01-01T00:00:00.000Z',
    last_error_code: 'CONTENT_UNAVAILABLE',
    ...columns,
  });
const leased = { state: 'leased', lease_token: 'other', lease_expires_at: '2099-01-01T00:00:00.000Z' };
const list = (query = '') => usageSite.admin.get(`/admin/media-usage/work?collection=posts${query}`);
const retry = (body: unknown = { collectionId: 'c1', contentId: 'e1' }) =>
  usageSite.admin.post('/admin/media-usage/work/retry', body);

describe('GET /admin/media-usage/work', () => {
  it('returns the work of an entry without its content and the lease token', async () => {
    await insertWork('e1');
    expect((await list()).data).toEqual({
      items: [
        {
          collectionId: 'c1',
          collectionSlug: 'posts',
          contentId: 'e1',
          state: 'failed',
          attemptCount: 8,
          nextAttemptAt: '2099-01-01T00:00:00.000Z',
          leaseExpiresAt: null,
          lastAttemptedAt: '2025-01-01T00:00:00.000Z',
          lastErrorCode: 'CONTENT_UNAVAILABLE',
          updatedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  it.each(['pending', 'retry', 'leased', 'failed'])('filters by the state %s', async (state) => {
    for (const each of ['pending', 'retry', 'leased', 'failed'])
      await insertWork(`e-${each}`, { state: each });
    const { items } = (await list(`&state=${state}`)).data;
    expect(items.map((item: { contentId: string }) => item.contentId)).toEqual([`e-${state}`]);
  });

  it.each([1, 2, 3, 5])('returns each item once in pages of %i', async (limit) => {
    for (const id of ['e1', 'e2', 'e3', 'e4']) await insertWork(id);
    await insertWork('e1', {}, 'c2');
    await insertWork('other', { collection_slug: 'pages' });
    const items = await walkPages<{ collectionId: string; contentId: string }>(
      usageSite.admin,
      `/admin/media-usage/work?collection=posts&limit=${limit}`,
    );
    expect(items.map(({ collectionId, contentId }) => `${contentId} ${collectionId}`)).toEqual([
      'e1 c1',
      'e1 c2',
      'e2 c1',
      'e3 c1',
      'e4 c1',
    ]);
  });

  it('returns an empty list for a collection without work and for an unknown one', async () => {
    expect((await list()).data).toEqual({ items: [] });
    expect((await usageSite.admin.get('/admin/media-usage/work?collection=nothing')).data).toEqual({
      items: [],
    });
  });

  it('returns 400 without a collection, for an unknown state, and for a cursor of other filters', async () => {
    for (const query of ['', '?collection=', '?collection=posts&state=lost', '?collection=posts&limit=101'])
      expect(statusAndCode(await usageSite.admin.get(`/admin/media-usage/work${query}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    await insertWork('e1');
    await insertWork('e2');
    const { nextCursor } = (await list('&limit=1')).data;
    expect(statusAndCode(await list(`&state=failed&cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });

  it('returns no work of another site', async () => {
    await insertWork('e1');
    const other = await UsageSite.open();
    expect((await other.admin.get('/admin/media-usage/work?collection=posts')).data.items).toEqual([]);
    const response = await other.admin.post('/admin/media-usage/work/retry', {
      collectionId: 'c1',
      contentId: 'e1',
    });
    expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    await other.close();
  });

  it('lists work that makes the coverage stale', async () => {
    await usageSite.repair();
    const [row] = await usageSite.site.sql<{ id: string }>('SELECT id FROM collections');
    await insertWork('e1', {}, row?.id);
    expect(await usageSite.coverage()).toBe('stale');
  });
});

describe('POST /admin/media-usage/work/retry', () => {
  it.each([
    ['failed', {}],
    ['postponed', { state: 'retry' }],
    ['leased by a crashed worker', { ...leased, lease_expires_at: '2020-01-01T00:00:00.000Z' }],
  ])('processes work that was %s at once', async (_name, columns) => {
    await insertWork('e1', columns);
    const response = await retry();
    expect([response.status, response.data]).toMatchObject([
      200,
      { changed: true, item: { contentId: 'e1', state: 'pending', attemptCount: 0, leaseExpiresAt: null } },
    ]);
    // The entry does not exist, so that the worker deletes its work.
    await eventuallyPasses(
      async () => (await list()).data.items,
      (items) => expect(items).toEqual([]),
    );
  });

  it('changes nothing for pending work', async () => {
    await insertWork('e1', { state: 'pending', last_error_code: null });
    expect(await retry()).toMatchObject({
      status: 200,
      data: { changed: false, item: { state: 'pending' } },
    });
  });

  it('returns 409 WORK_LEASE_ACTIVE with the lease expiry while a worker holds the lease', async () => {
    await insertWork('e1', leased);
    const response = await retry();
    expect([...statusAndCode(response), response.error.details]).toEqual([
      409,
      'WORK_LEASE_ACTIVE',
      { leaseExpiresAt: '2099-01-01T00:00:00.000Z' },
    ]);
  });

  it('changes the work once when 12 requests race; the others return 404 or 409', async () => {
    await insertWork('e1');
    const responses = await Promise.all(Array.from({ length: 12 }, () => retry()));
    const changed = responses.filter(({ status, data }) => status === 200 && data.changed);
    expect(changed).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 200))
      expect([404, 409]).toContain(response.status);
    for (const failed of responses.filter(({ status }) => status === 409))
      expect(['WORK_CHANGED', 'WORK_LEASE_ACTIVE']).toContain(failed.error.code);
  });

  it('returns 409 WORK_CHANGED when the work changes between read and write', async () => {
    await insertWork('e1');
    const locker = new pg.Client({ connectionString: usageSite.site.system.databaseUrl });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query(
      'UPDATE cms_media.usage_work SET generation = generation + 1 WHERE tenant_id = $1 AND content_id = $2',
      [usageSite.site.tenant, 'e1'],
    );
    const response = retry();
    await eventuallyPasses(
      () =>
        usageSite.site.sql(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE%usage_work%'`,
        ),
      (waiting) => expect(waiting).toHaveLength(1),
    );
    await locker.query('COMMIT');
    await locker.end();
    expect(statusAndCode(await response)).toEqual([409, 'WORK_CHANGED']);
    expect((await list()).data.items).toMatchObject([{ contentId: 'e1', state: 'failed' }]);
  });

  it('returns 404 NOT_FOUND for unknown work', async () => {
    expect(statusAndCode(await retry())).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    [],
    {},
    { collectionId: 'c1' },
    { collectionId: '', contentId: 'e1' },
    { collectionId: 'c1', contentId: 'x'.repeat(2_049) },
    { collectionId: 'c1', contentId: 'e1', force: true },
  ])('returns 400 for the body %j', async (body) => {
    expect(statusAndCode(await retry(body))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
