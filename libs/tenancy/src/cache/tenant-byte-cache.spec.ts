import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@quire/observability';
import { TenantByteCache } from './tenant-byte-cache.js';

const kilobyte = 1_000;
/** A value of about a kilobyte, with its key and the overhead. */
const value = (name = '') => ({ size: kilobyte - 402, name });

function openCache(kilobytes: number) {
  const cache = new TenantByteCache<ReturnType<typeof value>>({
    name: 'spec',
    maxBytes: kilobytes * kilobyte,
    maxValueBytes: 2 * kilobyte,
  });
  const fill = (site: string, keys: string) => {
    for (const key of keys) cache.set(site, key, value(`${site}${key}`));
  };
  /** The keys that a site still has, which this does not use. */
  const kept = (site: string, keys: string) =>
    [...keys].filter((key) => cache.get(site, key) !== undefined).join('');
  return { cache, fill, kept };
}

describe('TenantByteCache', () => {
  it('has the last value of each key of each site', () => {
    const { cache, fill } = openCache(10);
    fill('a', 'xy');
    fill('b', 'x');
    cache.set('a', 'x', value('new'));
    expect(cache.get('a', 'x')?.name).toBe('new');
    expect(cache.get('a', 'y')?.name).toBe('ay');
    expect(cache.get('b', 'x')?.name).toBe('bx');
    expect(cache.get('b', 'y')).toBeUndefined();
    expect([cache.bytes, cache.size]).toEqual([3 * kilobyte, 3]);
  });

  it('reports evicted values, and not replaced ones', async () => {
    const evictions = async () => {
      const text = await new Metrics().registry.getSingleMetricAsString('quire_cache_drops_total');
      return Number(text.split('{cache="spec",reason="evicted"} ')[1]?.split('\n')[0] ?? 0);
    };
    const before = await evictions();
    const { fill } = openCache(3);
    fill('a', 'xyzz');
    fill('a', 'vw');
    expect((await evictions()) - before).toBe(2);
  });

  it('evicts the least recently used values of a site that is alone', () => {
    const { cache, fill, kept } = openCache(3);
    fill('a', 'xyz');
    cache.get('a', 'x');
    fill('a', 'w');
    expect(kept('a', 'wxyz')).toBe('wxz');
    expect(cache.bytes).toBe(3 * kilobyte);
  });

  it('does not cache a value over the limit, and drops the former one', () => {
    const { cache, fill } = openCache(10);
    fill('a', 'x');
    cache.set('a', 'x', { ...value(), size: 2 * kilobyte });
    expect(cache.get('a', 'x')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });

  it('counts keys: many long ones do not exceed the bound', () => {
    const { cache } = openCache(10);
    for (let index = 0; index < 100; index += 1)
      cache.set('a', `${'k'.repeat(500)}${index}`, { size: 0, name: '' });
    expect(cache.bytes).toBeLessThanOrEqual(10 * kilobyte);
    expect(cache.get('a', `${'k'.repeat(500)}0`)).toBeUndefined();
  });

  it('lets a site use what others leave, until they need their share', () => {
    const { fill, kept } = openCache(6);
    fill('big', 'abcdef');
    expect(kept('big', 'abcdef')).toBe('abcdef');
    fill('small', 'xyz');
    expect(kept('big', 'abcdef')).toBe('def');
    expect(kept('small', 'xyz')).toBe('xyz');
  });

  it('takes nothing from a site within its share for one over it', () => {
    const { fill, kept } = openCache(6);
    fill('small', 'x');
    fill('big', 'abcdefghijklmnop');
    fill('third', 'y');
    expect(kept('small', 'x')).toBe('x');
    expect(kept('third', 'y')).toBe('y');
    expect(kept('big', 'abcdefghijklmnop')).toBe('mnop');
  });

  it('never exceeds its bound, nor takes the values of small sites, in any order of writes', () => {
    const { cache } = openCache(50);
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    cache.set('small', 'k', value());
    for (let step = 0; step < 5_000; step += 1) {
      const size = random(1_500);
      cache.set(`site ${random(9) * random(2)}`, String(random(40)), { size, name: '' });
      expect(cache.bytes).toBeLessThanOrEqual(50 * kilobyte);
    }
    expect(cache.get('small', 'k')).toBeDefined();
  });
});
