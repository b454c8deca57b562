import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { AuthClient, MediaClient } from '../../clients/index.js';
import { getDashboard } from './dashboard.operations.js';
import type { Dashboard } from './dashboard.js';

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
