export { atprotoSite, openAtprotoLogin, type AtprotoLogin } from './atproto/atproto-login.js';
export { FakeAtproto, type AccountInput } from './atproto/fake-atproto.js';
export { fakeNetwork } from './atproto/fake-network.js';
export { walkLogin } from './atproto/walk-login.js';
export { SoftwareAuthenticator, type Ceremony } from './authenticator/authenticator.js';
export { addPasskey, answerOptions, logIn, pageOf, reauthenticate } from './authenticator/passkey-steps.js';
export { AccessTeam, type AssertionChanges } from './edge/access-team.js';
export { openApplication, type Application, type Consent } from './site/application.js';
export { testSystem, type TestSystem } from './site/harness.js';
export { createClient, type Answer, type Client, type RequestOptions } from './site/client.js';
export { runCommand, type CommandResult } from './site/command.js';
export {
  makeCollection,
  type CollectionInput,
  type FieldInput,
  type TestCollection,
} from './site/collection.js';
export { describeDoors, type Call, type Door } from './site/doors.js';
export { openDiscussion, type Discussion } from './site/discussion.js';
export { eventually, eventuallyPasses } from './site/eventually.js';
export { itemOf, makeEntry, type TestEntry } from './site/entry.js';
export type { ReceivedMail } from './site/mail.js';
export {
  download,
  makeAnimation,
  makeImage,
  makeTurnedPhoto,
  multipartForm,
  uploadFile,
  type FormPart,
} from './site/media.js';
export { doomedMedia, sweepMedia } from './site/doomed-media.js';
export { createSiteTable } from './site/site-table.js';
export { openSite, testRoles, type Site, type TestRole } from './site/open-site.js';
export { PageBrowser } from './site/page-browser.js';
export { cookieOf, idsOf, issuePaths, outcome, walkPages } from './site/read-answer.js';
export { openRowHolder, type RowHolder } from './site/row-holder.js';
export { untilBlocked } from './site/until-blocked.js';
export { makeVariedEntries, variedFields } from './site/varied-entries.js';
export { busyMeilisearch } from './stores/busy-meilisearch.js';
export { openServiceTenant, type ServiceTenant } from './stores/service-tenant.js';
export { openLine, type StoreLine } from './stores/store-line.js';
export { testMeilisearch, testS3, testStores, type TestS3, type TestStores } from './stores/stores.js';
export { tableDrift } from './stores/table-drift.js';
