export { atprotoSite, openAtprotoLogin } from './atproto/atproto-login.js';
export { FakeAtproto } from './atproto/fake-atproto.js';
export { fakeNetwork } from './atproto/fake-network.js';
export { completeLogin } from './atproto/complete-login.js';
export { SoftwareAuthenticator, type Ceremony } from './authenticator/authenticator.js';
export { addPasskey, ceremonyOptionsOf, logIn, ceremonyOf } from './authenticator/passkey-steps.js';
export { FakeAccessProvider, type AssertionChanges } from './edge/fake-access-provider.js';
export { openApplication, type Application } from './site/application.js';
export { testSystem, type TestSystem } from './site/test-system.js';
export { createClient, type ApiResponse, type Client, type RequestOptions } from './site/client.js';
export { runCommand } from './site/command.js';
export {
  createCollection,
  type CollectionInput,
  type FieldInput,
  type TestCollection,
} from './site/collection.js';
export { describePermissions, type Call, type PermissionCase } from './site/permission-matrix.js';
export { createCommentedEntry, type CommentedEntry } from './site/commented-entry.js';
export { eventually, eventuallyPasses } from './site/eventually.js';
export { itemOf, createEntry, type TestEntry } from './site/entry.js';
export type { ReceivedMail } from './site/mail.js';
export {
  download,
  createAnimation,
  createImage,
  createRotatedPhoto,
  multipartForm,
  uploadFile,
  type FormPart,
} from './site/media.js';
export { makeOverdue } from './site/overdue-schedules.js';
export { pendingObjectDeletions, deletePendingObjects } from './site/pending-object-deletions.js';
export { createSiteTable } from './site/site-table.js';
export { openSite, testRoles, type Site, type SiteOptions, type TestRole } from './site/open-site.js';
export { PageBrowser } from './site/page-browser.js';
export { callTool, type ToolResult } from './site/tools.js';
export { cookieOf, idsOf, issuePaths, statusAndCode, walkPages } from './site/read-response.js';
export { openRowLock, waitUntilBlocked } from './site/row-lock.js';
export { useFixture, useRowLock, useSite } from './site/use-fixture.js';
export { freePort } from './stores/free-port.js';
export { loadMeilisearch } from './stores/load-meilisearch.js';
export {
  startRedisCluster,
  startRedisServer,
  type RedisCluster,
  type RedisServer,
} from './stores/redis-servers.js';
export { recordStatements, type RecordingDatabase } from './stores/record-statements.js';
export { rowsRead } from './stores/rows-read.js';
export { openServiceTenant, type ServiceTenant } from './stores/service-tenant.js';
export { createStoreProxy, type StoreProxy } from './stores/store-proxy.js';
export { createTcpProxy, type TcpProxy } from './stores/tcp-proxy.js';
export {
  testBaseBuild,
  testMeilisearch,
  testPgBouncer,
  testS3,
  testStores,
  type TestS3,
} from './stores/stores.js';
export { tableDrift } from './stores/table-drift.js';
export {
  archivedFilesOf,
  buildPackage,
  type PackageContent,
  type PackageRecord,
  type SitePackage,
} from './transfer/build-package.js';
export { OtlpSink, type ReceivedSpan } from './tracing/otlp-sink.js';
export { recordOf } from './transfer/record-of.js';
