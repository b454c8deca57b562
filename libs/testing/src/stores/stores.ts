/** Addresses of the real stores that a test run started. */
export interface TestStores {
  databaseUrl: string;
  redisUrl: string;
}

/** The stores for medium tests. @throws Error, never a silent skip, when the run was started without them. */
export function testStores(): TestStores {
  const text = (globalThis as { __QUIRE_STORES__?: string }).__QUIRE_STORES__;
  if (text === undefined)
    throw new Error('This spec needs real stores: run it with `npm test -- --only units -- <path>`');
  return JSON.parse(text) as TestStores;
}
