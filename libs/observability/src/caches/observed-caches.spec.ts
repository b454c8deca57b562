import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../metrics/metrics.js';
import { createCache, observeCache } from './observed-caches.js';

/** The values of a metric for caches with a name, by their other labels. */
async function valuesOf(metric: string, cache: string): Promise<string[]> {
  const text = await new Metrics().registry.getSingleMetricAsString(metric);
  const series = `${metric}{cache="${cache}"`;
  return text
    .split('\n')
    .filter((line) => line.startsWith(series))
    .map((line) => line.slice(series.length));
}

describe('createCache', () => {
  it('reports the values of all caches of its name, and why they were dropped', async () => {
    const caches = [createCache<string>('lru', { max: 2 }), createCache<string>('lru', { max: 2 })];
    const [one, two] = caches;
    for (const key of ['a', 'b', 'c', 'c']) one?.set(key, key);
    two?.set('a', 'a');
    two?.delete('a');
    two?.set('b', 'b', { ttl: 1, start: performance.now() - 10 });
    expect(two?.get('b')).toBeUndefined();
    two?.set('c', 'c');
    expect(await valuesOf('quire_cache_entries', 'lru')).toEqual(['} 3']);
    expect(await valuesOf('quire_cache_drops_total', 'lru')).toEqual([
      ',reason="evicted"} 1',
      ',reason="expired"} 1',
      ',reason="invalidated"} 1',
    ]);
  });
});

describe('observeCache', () => {
  it('counts the drops of a cache of another kind', async () => {
    const cache = { size: 5 };
    const countDrop = observeCache('other', cache);
    countDrop('evicted');
    countDrop('evicted');
    expect(await valuesOf('quire_cache_entries', 'other')).toEqual(['} 5']);
    expect(await valuesOf('quire_cache_drops_total', 'other')).toContain(',reason="evicted"} 2');
  });
});
