/** The description of the system under test, from `npm test` (infra/src/test-runner). */
export interface TestSystem {
  /** Origin of the gateway under test. */
  origin: string;
  /** Origin of the control server that makes tenants and tokens. */
  control: string;
  databaseUrl: string;
  redisUrl: string;
  /** Where the system looks for the AT Protocol network; one suite may stand there. */
  atprotoPort: number;
}

/** Reads where the system under test is. @throws Error when the suite runs outside `npm test`. */
export function testSystem(): TestSystem {
  const text = (globalThis as { __QUIRE_SYSTEM__?: string }).__QUIRE_SYSTEM__;
  if (text === undefined)
    throw new Error('The black-box suites run with `npm test`, which starts the system for them');
  return JSON.parse(text) as TestSystem;
}
