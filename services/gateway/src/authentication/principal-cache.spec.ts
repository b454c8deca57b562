import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { anonymous } from '@quire/context';
import { PrincipalCache } from './principal-cache.js';

const principal = anonymous({ id: 'a', database: null });

beforeEach(() => void jest.useFakeTimers({ now: new Date('2025-01-01T00:00:00Z') }));
afterEach(() => void jest.useRealTimers());

describe('PrincipalCache', () => {
  it('evicts the least recently used principal, and no other', () => {
    const cache = new PrincipalCache(3);
    for (const credential of ['1', '2', '3']) cache.startLoad('a', credential)(principal);
    cache.get('a', '1');
    cache.startLoad('a', '4')(principal);
    const cached = ['1', '2', '3', '4'].filter((credential) => cache.get('a', credential) !== undefined);
    expect(cached).toEqual(['1', '3', '4']);
  });

  it.each(['2025-01-01T00:00:00.000Z', '2024-12-31T23:59:59.000Z'])(
    'does not store a principal whose credential expired at %s',
    (expiresAt) => {
      const cache = new PrincipalCache();
      cache.startLoad('a', '1')(principal, expiresAt);
      expect(cache.get('a', '1')).toBeUndefined();
    },
  );

  it('does not store a principal whose load spans an invalidation', () => {
    const cache = new PrincipalCache();
    const store = cache.startLoad('a', '1');
    cache.invalidate('a');
    store(principal);
    expect(cache.get('a', '1')).toBeUndefined();
  });

  it('invalidates the principals of one tenant, or of all', () => {
    const cache = new PrincipalCache();
    for (const tenant of ['a', 'ab', 'a', 'b']) cache.startLoad(tenant, '1')(principal);
    cache.startLoad('a', '2')(principal);
    cache.invalidate('a');
    const cached = () =>
      ['a', 'ab', 'b'].filter((tenant) => cache.get(tenant, '1') ?? cache.get(tenant, '2'));
    expect(cached()).toEqual(['ab', 'b']);
    cache.invalidate();
    expect(cached()).toEqual([]);
  });
});
