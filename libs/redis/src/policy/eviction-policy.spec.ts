import { afterEach, describe, expect, it } from '@jest/globals';
import { startRedisCluster, testStores } from '@quire/testing';
import { Redis } from 'ioredis';
import { readEvictionPolicy } from './eviction-policy.js';

describe('readEvictionPolicy', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('returns the policy of the server', async () => {
    expect(await readEvictionPolicy(testStores().redisUrl)).toBe('noeviction');
  });

  it('returns undefined where the login may not ask for it', async () => {
    const admin = new Redis(testStores().redisUrl);
    closers.push(() => admin.disconnect());
    await admin.call('ACL', 'SETUSER', 'guest', 'on', '>secret', '~*', '+@all', '-config');
    closers.push(() => admin.call('ACL', 'DELUSER', 'guest'));
    const url = new URL(testStores().redisUrl);
    Object.assign(url, { username: 'guest', password: 'secret' });
    expect(await readEvictionPolicy(url.href)).toBeUndefined();
  });

  it('returns the policy of a cluster: that of a node which evicts, if there is one', async () => {
    const cluster = await startRedisCluster();
    closers.push(() => cluster.stop());
    expect(await readEvictionPolicy(cluster.url)).toBe('noeviction');
    for (const evicting of cluster.primaries) {
      await evicting.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      expect(await readEvictionPolicy(cluster.url)).toBe('allkeys-lru');
      await evicting.client.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });

  it('throws when the server does not respond', async () => {
    await expect(readEvictionPolicy('redis://127.0.0.1:1')).rejects.toThrow();
  });
});
