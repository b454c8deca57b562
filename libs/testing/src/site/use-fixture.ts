import type * as jestGlobals from '@jest/globals';
import { openSite, type Site, type SiteOptions } from './open-site.js';
import { openRowLock, type RowLock } from './row-lock.js';
import type { TestSystem } from './test-system.js';

// Not an import of @jest/globals: that throws in the programs outside Jest that use this library too.
const { afterAll, afterEach, beforeAll, beforeEach } = globalThis as unknown as typeof jestGlobals;

export interface FixtureOptions {
  /** Opened once for the file or `describe` block that calls it, or again for each of its tests. Default: `block`. */
  lifetime?: 'block' | 'test';
  /** Time limit for opening. Default: that of the suite. */
  timeoutMs?: number;
}

/**
 * Registers hooks that open a fixture before the tests and close it after them.
 * @returns the fixture, to be declared as a constant: its members work in hooks that are registered later and in tests
 * @throws Error where a member is used before the fixture is open
 */
export function useFixture<Fixture extends { close(): Promise<void> }>(
  open: () => Promise<Fixture>,
  { lifetime = 'block', timeoutMs }: FixtureOptions = {},
): Fixture {
  let opened: Fixture | undefined;
  const [before, after] = lifetime === 'block' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    opened = await open();
  }, timeoutMs);
  after(async () => {
    await opened?.close();
    opened = undefined;
  });
  const current = () => {
    if (!opened) throw new Error('A fixture is only open in tests, and in hooks registered after it');
    return opened;
  };
  return new Proxy({} as Fixture, {
    get: (_, key) => Reflect.get(current(), key),
    set: (_, key, value) => Reflect.set(current(), key, value),
  });
}

/**
 * Registers hooks that open a site before the tests and close it after them.
 * @param options those of `openSite` and `useFixture`; `system` is another system than that of the run
 * @returns the site, for use in tests and in hooks that are registered later
 */
export function useSite({
  system,
  lifetime,
  timeoutMs,
  ...siteOptions
}: SiteOptions & FixtureOptions & { system?: TestSystem } = {}): Site {
  return useFixture(() => openSite(system, siteOptions), { lifetime, timeoutMs });
}

/** Registers hooks that open a connection for locks on rows of a site, with which a test orders concurrent requests. */
export const useRowLock = (site: Site): RowLock => useFixture(() => openRowLock(site));
