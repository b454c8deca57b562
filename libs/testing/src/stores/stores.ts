/** Addresses of the real stores that a test run started. */
export interface TestStores {
  databaseUrl: string;
  redisUrl: string;
  /** Only in suites with specs that call `testS3`. */
  s3?: TestS3;
  /** Only in suites with specs that call `testMeilisearch`. */
  meilisearch?: TestMeilisearch;
  /** Only in suites with specs that call `testPgBouncer`. */
  pgBouncer?: TestPgBouncer;
  /** Only in suites with specs that call `testBaseBuild`. */
  baseBuild?: TestBaseBuild;
}

/** The programs of the version that the present one replaces. */
export interface TestBaseBuild {
  commit: string;
  /** Its repository, with built programs. */
  folder: string;
}

/** Addresses of the PostgreSQL server behind a real PgBouncer, by its mode. */
export interface TestPgBouncer {
  session: string;
  transaction: string;
}

/** A real Meilisearch server. */
export interface TestMeilisearch {
  url: string;
  /** Limited to the rights of the service. */
  key: string;
  masterKey: string;
}

/** A real S3 server. */
export interface TestS3 {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  region: string;
}

/** The stores for medium tests. @throws Error, never a silent skip, when the run has none */
export function testStores(): TestStores {
  const text = (globalThis as { __QUIRE_STORES__?: string }).__QUIRE_STORES__;
  if (text === undefined)
    throw new Error('This spec needs real stores: run it with `npm test -- --only unit -- <path>`');
  return JSON.parse(text) as TestStores;
}

/** The S3 server for medium tests. @throws Error, never a silent skip, when the run has none */
export function testS3(): TestS3 {
  const { s3 } = testStores();
  if (!s3)
    throw new Error('This spec needs a real S3 server, and none could be started: see the start of the run');
  return s3;
}

/** The Meilisearch server for medium tests. @throws Error, never a silent skip, when the run has none */
export function testMeilisearch(): TestMeilisearch {
  const { meilisearch } = testStores();
  if (!meilisearch)
    throw new Error(
      'This spec needs a Meilisearch server, and none could be started: see the start of the run',
    );
  return meilisearch;
}

/** The connection poolers for medium tests. @throws Error, never a silent skip, when the run has none */
export function testPgBouncer(): TestPgBouncer {
  const { pgBouncer } = testStores();
  if (!pgBouncer)
    throw new Error('This spec needs PgBouncer, and it could not be started: see the start of the run');
  return pgBouncer;
}

/** The build of the previous version. @throws Error, never a silent skip, when the run has none */
export function testBaseBuild(): TestBaseBuild {
  const { baseBuild } = testStores();
  if (!baseBuild)
    throw new Error(
      'This spec needs the previous version, and it could not be built: see the start of the run',
    );
  return baseBuild;
}
