import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { anonymous, type Principal } from '@quire/context';
import { createPrincipalCache, currentPrincipal } from './principal-cache.js';

const tenant = { id: 'a', database: null };
const user: Principal = { kind: 'session', tenant, userId: 'u1', role: 40 };

beforeEach(() => void jest.useFakeTimers({ now: new Date('2025-01-01T00:00:00Z') }));
afterEach(() => void jest.useRealTimers());

/** Reads a principal now and after so many seconds. @returns how often it was loaded */
async function countLoads(principal: Principal, expiresAt: string | null, seconds: number): Promise<number> {
  const cache = createPrincipalCache('spec');
  const load = jest.fn(() => Promise.resolve({ principal, expiresAt }));
  await cache.get('a', '1', load);
  jest.setSystemTime(Date.now() + seconds * 1000);
  await cache.get('a', '1', load);
  return load.mock.calls.length;
}

describe('createPrincipalCache', () => {
  it.each<[string, Principal, string | null, number, number]>([
    ['the principal of a credential without an expiry for a minute', user, null, 59, 1],
    ['no principal for longer', user, null, 61, 2],
    ['a principal until its credential expires', user, '2025-01-01T00:00:10.000Z', 9, 1],
    ['no principal of an expired credential', user, '2025-01-01T00:00:10.000Z', 11, 2],
    ['no principal of a credential that expires now', user, '2025-01-01T00:00:00.000Z', 0, 2],
    ['no anonymous principal', anonymous(tenant), null, 0, 2],
  ])('caches %s', async (_, principal, expiresAt, seconds, loads) => {
    expect(await countLoads(principal, expiresAt, seconds)).toBe(loads);
  });
});

describe('currentPrincipal', () => {
  it('gives a cached principal the present tenant of the request, and keeps one object until it changes', () => {
    const resolved = { principal: user, expiresAt: null };
    expect(currentPrincipal(resolved, tenant)).toBe(user);
    const changed = { ...tenant, settings: { defaultLocale: 'de' } };
    const principal = currentPrincipal(resolved, changed);
    expect(principal).toEqual({ ...user, tenant: changed });
    expect(currentPrincipal(resolved, changed)).toBe(principal);
  });
});
