import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '@quire/observability';
import { TenantCache } from './tenant-cache.js';

/** A cache, and the keys that it has loaded. */
function openCache(options: { name?: string; max?: number; maxAgeMsOf?: (value: string) => number } = {}) {
  const cache = new TenantCache<string>({ name: 'spec', max: 10, ...options });
  const loaded: string[] = [];
  const get = (tenantId: string, key: string, value = `${tenantId} ${key}`) =>
    cache.get(tenantId, key, () => {
      loaded.push(`${tenantId} ${key}`);
      return Promise.resolve(value);
    });
  return { cache, loaded, get };
}

/** A load that ends on demand. */
function pendingLoad() {
  let resolve!: (value: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((onResolve, onReject) => {
    [resolve, reject] = [onResolve, onReject];
  });
  return { promise, resolve, reject };
}

describe('TenantCache.get', () => {
  it('loads a value once for each tenant and key', async () => {
    const { loaded, get } = openCache();
    const values = await Promise.all([get('a', '1'), get('a', '1'), get('a', '2'), get('b', '1')]);
    await get('a', '1');
    expect(values).toEqual(['a 1', 'a 1', 'a 2', 'b 1']);
    expect(loaded).toEqual(['a 1', 'a 2', 'b 1']);
  });

  it('does not cache a failed load', async () => {
    const { cache, get } = openCache();
    const failed = cache.get('a', '1', () => Promise.reject(new Error('unavailable')));
    await expect(failed).rejects.toThrow('unavailable');
    expect(await get('a', '1')).toBe('a 1');
  });

  it('evicts the least recently used value only', async () => {
    const { loaded, get } = openCache({ max: 2 });
    await get('a', '1');
    await get('a', '2');
    await get('a', '1');
    await get('a', '3');
    loaded.length = 0;
    await get('a', '1');
    await get('a', '3');
    expect(loaded).toEqual([]);
    await get('a', '2');
    expect(loaded).toEqual(['a 2']);
  });
});

describe('TenantCache.invalidate', () => {
  it('removes one key, one tenant, or everything', async () => {
    const { cache, loaded, get } = openCache();
    const getAll = async () => {
      loaded.length = 0;
      for (const [tenantId, key] of [
        ['a', '1'],
        ['a', '2'],
        ['ab', '1'],
      ] as const)
        await get(tenantId, key);
      return [...loaded];
    };
    await getAll();
    cache.invalidate('a', '1');
    expect(await getAll()).toEqual(['a 1']);
    cache.invalidate('a');
    expect(await getAll()).toEqual(['a 1', 'a 2']);
    cache.invalidate();
    expect(await getAll()).toEqual(['a 1', 'a 2', 'ab 1']);
  });

  it.each([[['a', '1']], [['a']], [[]]])(
    'prevents that a load in progress is cached: %j',
    async ([tenantId, key]) => {
      const { cache, get } = openCache();
      const pending = pendingLoad();
      const overtaken = cache.get('a', '1', () => pending.promise);
      cache.invalidate(tenantId, key);
      const current = get('a', '1', 'current');
      pending.resolve('outdated');
      expect(await Promise.all([overtaken, current])).toEqual(['outdated', 'current']);
      expect(await get('a', '1', 'not loaded')).toBe('current');
    },
  );

  it('keeps a new load when the overtaken one fails', async () => {
    const { cache, get } = openCache();
    const pending = pendingLoad();
    const overtaken = cache.get('a', '1', () => pending.promise);
    cache.invalidate('a');
    await get('a', '1', 'current');
    pending.reject(new Error('unavailable'));
    await expect(overtaken).rejects.toThrow('unavailable');
    expect(await get('a', '1', 'not loaded')).toBe('current');
  });
});

describe('TenantCache.invalidate after evictions', () => {
  it('removes what is cached of the tenant', async () => {
    const { cache, loaded, get } = openCache({ max: 3 });
    for (const key of ['1', '2', '3', '4', '1']) await get('a', key);
    await get('b', '1');
    cache.invalidate('a');
    loaded.length = 0;
    for (const key of ['4', '1']) await get('a', key);
    await get('b', '1');
    expect(loaded).toEqual(['a 4', 'a 1']);
  });
});

describe('TenantCache.invalidateWhere', () => {
  it('removes the values of a tenant that meet the condition', async () => {
    const { cache, loaded, get } = openCache();
    const getAll = async () => {
      loaded.length = 0;
      await Promise.all([get('a', '1'), get('a', '2'), get('ab', '1')]);
      return [...loaded];
    };
    await getAll();
    cache.invalidateWhere('a', (value) => value.endsWith('1'));
    expect(await getAll()).toEqual(['a 1']);
  });

  it('prevents that a load in progress is cached, whatever its value', async () => {
    const { cache, get } = openCache();
    const pending = pendingLoad();
    const overtaken = cache.get('a', '1', () => pending.promise);
    cache.invalidateWhere('a', () => false);
    pending.resolve('outdated');
    expect(await overtaken).toBe('outdated');
    expect(await get('a', '1', 'current')).toBe('current');
  });
});

describe('TenantCacheOptions.maxAgeMsOf', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('limits the age of a value', async () => {
    const { get } = openCache({ maxAgeMsOf: () => 1_000 });
    await get('a', '1', 'first');
    jest.advanceTimersByTime(999);
    expect(await get('a', '1', 'second')).toBe('first');
    jest.advanceTimersByTime(2);
    expect(await get('a', '1', 'second')).toBe('second');
  });

  it.each([0, -1])('does not cache a value of age %i', async (maxAgeMs) => {
    const { get } = openCache({ maxAgeMsOf: () => maxAgeMs });
    await get('a', '1', 'first');
    expect(await get('a', '1', 'second')).toBe('second');
  });
});

describe('the metrics of a TenantCache', () => {
  it('have its values and its drops, but no loads that are not cached', async () => {
    const maxAgeMsOf = (value: string) => (value === 'uncached' ? 0 : Infinity);
    const { cache, get } = openCache({ name: 'spec-metrics', max: 2, maxAgeMsOf });
    await get('a', '1', 'uncached');
    await cache.get('a', '2', () => Promise.reject(new Error('down'))).catch(() => undefined);
    await Promise.all([get('a', '3'), get('a', '4')]);
    await get('b', '5');
    cache.invalidate('a');
    const { registry } = new Metrics();
    const linesOf = async (name: string) =>
      (await registry.getSingleMetricAsString(name))
        .split('\n')
        .filter((line) => line.includes('spec-metrics'));
    expect(await linesOf('quire_cache_entries')).toEqual(['quire_cache_entries{cache="spec-metrics"} 1']);
    expect(await linesOf('quire_cache_drops_total')).toEqual([
      'quire_cache_drops_total{cache="spec-metrics",reason="evicted"} 1',
      'quire_cache_drops_total{cache="spec-metrics",reason="expired"} 0',
      'quire_cache_drops_total{cache="spec-metrics",reason="invalidated"} 1',
    ]);
  });
});
