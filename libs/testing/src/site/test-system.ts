/** Parameters that `npm test` (infra/src/test-runner) passes to test files about the system under test. */
export interface TestSystem {
  /** Origin of the gateway under test. */
  origin: string;
  /** Origin of the operations port of its process. */
  opsOrigin: string;
  /** Origin of the control server that creates tenants and tokens. */
  control: string;
  /** Name of the arrangement of its processes. */
  arrangement: string;
  databaseUrl: string;
  redisUrl: string;
  /** Port at which the system expects the AT Protocol network; one suite may listen there. */
  atprotoPort: number;
}

/** Reads the parameters of the system under test. @throws Error when the suite runs outside `npm test` */
export function testSystem(): TestSystem {
  const text = (globalThis as { __QUIRE_SYSTEM__?: string }).__QUIRE_SYSTEM__;
  if (text === undefined)
    throw new Error('The black-box suites run with `npm test`, which starts the system for them');
  return JSON.parse(text) as TestSystem;
}
