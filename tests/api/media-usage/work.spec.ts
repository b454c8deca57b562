import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, statusAndCode, walkPages } from '@quire/testing';
import pg from 'pg';
import { UsageSite } from './support/usage-site.js';

let usageSite: UsageSite;
beforeAll(async () => {
  usageSite = await UsageSite.open();
});
afterAll(() => usageSite.close());
beforeEach(() =>
  usageSite.site.sql('DELETE FROM cms_media.usage_work WHERE tenant_id = $1', [usageSite.site.tenant]),
);

/** Work that no worker takes on: it failed for good, or its time is far away. */
const stored = (contentId: string, columns: Record<string, unknown> = {}, collectionId = 'c1') => {
  const row = {
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
  };
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  return usageSite.site.sql(
    `INSERT INTO cms_media.usage_work (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
};
const held = { state: 'leased', lease_token: 'other', lease_expires_at: '2099-01-01T00:00:00.000Z' };
const list = (query = '') => usageSite.admin.get(`/admin/media-usage/work?collection=posts${query}`);
const retry = (body: unknown = { collectionId: 'c1', contentId: 'e1' }) =>
  usageSite.admin.post('/admin/media-usage/work/retry', body);

describe('listMediaUsageWork', () => {
  it('tells of an entry what waits, and nothing of its content or of the lease', async () => {
    await stored('e1');
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

  it.each(['pending', 'retry', 'leased', 'failed'])('gives those that are %s', async (state) => {
    for (const each of ['pending', 'retry', 'leased', 'failed']) await stored(`e-${each}`, { state: each });
    const { items } = (await list(`&state=${state}`)).data;
    expect(items.map((item: { contentId: string }) => item.contentId)).toEqual([`e-${state}`]);
  });

  it.each([1, 2, 3, 5])('walked in pages of %i gives each once', async (limit) => {
    for (const id of ['e1', 'e2', 'e3', 'e4']) await stored(id);
    await stored('e1', {}, 'c2');
    await stored('other', { collection_slug: 'pages' });
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

  it('is empty for a collection without any, and one that is not there', async () => {
    expect((await list()).data).toEqual({ items: [] });
    expect((await usageSite.admin.get('/admin/media-usage/work?collection=nothing')).data).toEqual({
      items: [],
    });
  });

  it('wants a collection, a state that there is, and a cursor of this list', async () => {
    for (const query of ['', '?collection=', '?collection=posts&state=lost', '?collection=posts&limit=101'])
      expect(statusAndCode(await usageSite.admin.get(`/admin/media-usage/work${query}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    await stored('e1');
    await stored('e2');
    const { nextCursor } = (await list('&limit=1')).data;
    expect(statusAndCode(await list(`&state=failed&cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });

  it("does not see another site's work", async () => {
    await stored('e1');
    const other = await UsageSite.open();
    expect((await other.admin.get('/admin/media-usage/work?collection=posts')).data.items).toEqual([]);
    const answer = await other.admin.post('/admin/media-usage/work/retry', {
      collectionId: 'c1',
      contentId: 'e1',
    });
    expect(statusAndCode(answer)).toEqual([404, 'NOT_FOUND']);
    await other.close();
  });

  it('makes the coverage stale while it waits', async () => {
    await usageSite.repair();
    const [row] = await usageSite.site.sql<{ id: string }>('SELECT id FROM collections');
    await stored('e1', {}, row?.id);
    expect(await usageSite.coverage()).toBe('stale');
  });
});

describe('retryMediaUsageWork', () => {
  it.each([
    ['failed', {}],
    ['put off', { state: 'retry' }],
    ['left by a worker that died', { ...held, lease_expires_at: '2020-01-01T00:00:00.000Z' }],
  ])('has work that was %s done at once', async (_name, columns) => {
    await stored('e1', columns);
    const answer = await retry();
    expect([answer.status, answer.data]).toMatchObject([
      200,
      { changed: true, item: { contentId: 'e1', state: 'pending', attemptCount: 0, leaseExpiresAt: null } },
    ]);
    // The entry is gone: what is left to do of it is done.
    await eventuallyPasses(
      async () => (await list()).data.items,
      (items) => expect(items).toEqual([]),
    );
  });

  it('changes nothing about pending work', async () => {
    await stored('e1', { state: 'pending', last_error_code: null });
    expect(await retry()).toMatchObject({
      status: 200,
      data: { changed: false, item: { state: 'pending' } },
    });
  });

  it('returns WORK_LEASE_ACTIVE with the lease expiry while a worker holds the lease', async () => {
    await stored('e1', held);
    const answer = await retry();
    expect([...statusAndCode(answer), answer.error.details]).toEqual([
      409,
      'WORK_LEASE_ACTIVE',
      { leaseExpiresAt: '2099-01-01T00:00:00.000Z' },
    ]);
  });

  it('is applied once for concurrent retries; the others return 404 or 409', async () => {
    await stored('e1');
    const answers = await Promise.all(Array.from({ length: 12 }, () => retry()));
    const changed = answers.filter(({ status, data }) => status === 200 && data.changed);
    expect(changed).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect([404, 409]).toContain(answer.status);
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(['WORK_CHANGED', 'WORK_LEASE_ACTIVE']).toContain(answer.error.code);
  });

  it('returns WORK_CHANGED when the item changes between read and write', async () => {
    await stored('e1');
    const other = new pg.Client({ connectionString: usageSite.site.system.databaseUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query(
      'UPDATE cms_media.usage_work SET generation = generation + 1 WHERE tenant_id = $1 AND content_id = $2',
      [usageSite.site.tenant, 'e1'],
    );
    const answer = retry();
    await eventuallyPasses(
      () =>
        usageSite.site.sql(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE%usage_work%'`,
        ),
      (waiting) => expect(waiting).toHaveLength(1),
    );
    await other.query('COMMIT');
    await other.end();
    expect(statusAndCode(await answer)).toEqual([409, 'WORK_CHANGED']);
    expect((await list()).data.items).toMatchObject([{ contentId: 'e1', state: 'failed' }]);
  });

  it('of work that there is not is NOT_FOUND', async () => {
    expect(statusAndCode(await retry())).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    [],
    {},
    { collectionId: 'c1' },
    { collectionId: '', contentId: 'e1' },
    { collectionId: 'c1', contentId: 'x'.repeat(2_049) },
    { collectionId: 'c1', contentId: 'e1', force: true },
  ])('refuses the body %j', async (body) => {
    expect(statusAndCode(await retry(body))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
