import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Context } from '@quire/context';
import type { AuthClient, MediaClient } from '../../clients/index.js';
import { getDashboard } from './dashboard.operations.js';
import { Dashboard } from './dashboard.js';

afterEach(() => void jest.restoreAllMocks());

/** A dashboard whose counts grow by one entry with each count, and take the given time. */
function site(tookMs: number) {
  let now = 1_000;
  let count = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const query = () => {
    now += tookMs;
    count += 1;
    return Promise.resolve([{ slug: 'posts', total: count, published: 0, draft: 0, scheduled: 0 }]);
  };
  const ctx = { principal: { tenant: { id: 'one' } }, db: { query } } as unknown as Context;
  const dashboard = new Dashboard(() => ctx.db);
  const collections = [{ slug: 'posts', label: 'Posts', table: 'content_posts', titleColumn: null }];
  return {
    total: async () => (await dashboard.counts(ctx, collections)).get('posts')?.total,
    pass: (ms: number) => (now += ms),
  };
}

describe('the counts of a site', () => {
  it('are not cached if counting is fast', async () => {
    const { total } = site(20);
    expect([await total(), await total()]).toEqual([1, 2]);
  });

  it('are cached for ten times the duration of a slow count', async () => {
    const { total, pass } = site(1_000);
    expect([await total(), await total()]).toEqual([1, 1]);
    pass(9_999);
    expect(await total()).toBe(1);
    pass(1);
    expect(await total()).toBe(2);
  });
});

describe('getDashboard', () => {
  /** The dashboard of a site where a collection is deleted during each of the first `failures` reads. */
  async function readDuringDeletions(failures: number) {
    let reads = 0;
    const query = () => Promise.resolve([]);
    const counts = () => {
      reads += 1;
      const error = Object.assign(new Error('relation "content_posts" does not exist'), { code: '42P01' });
      return reads <= failures ? Promise.reject(error) : Promise.resolve(new Map());
    };
    const health = { status: 'healthy', lastCompletedAt: null };
    const dashboard = { counts, schedulerHealth: () => Promise.resolve(health) } as unknown as Dashboard;
    const count = () => Promise.resolve(null);
    const principal = { kind: 'session', tenant: { id: 'one' }, userId: 'U', role: 50 };
    const ctx = { principal, db: { query } } as unknown as Context;
    const media = { count } as unknown as MediaClient;
    const users = { count } as unknown as AuthClient;
    return getDashboard(ctx, { dashboard, media, users });
  }

  it('reads again if a collection is deleted during the read', async () => {
    expect(await readDuringDeletions(2)).toMatchObject({ collections: [], mediaCount: null });
  });

  it('fails after three attempts', async () => {
    await expect(readDuringDeletions(3)).rejects.toThrow('content_posts');
  });
});
