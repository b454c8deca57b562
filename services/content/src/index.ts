export { contentEntities, ContentModule, type ContentDeps } from './content.module.js';
export { contentTables } from './migrations/index.js';
export { Captcha } from './comments/captcha.js';
export { CommenterCookie } from './comments/commenter-cookie.js';
export { Dashboard } from './site/dashboard/index.js';
export { deletionWork } from './deletions/index.js';
export { deletionsRunner } from './deletions/sweep/index.js';
export { EntryDeps, EntryLimit, ResponseCache } from './entries/index.js';
export { SiteLocales } from './locales/index.js';
export { MediaClient } from './clients/index.js';
export { previewKey, PreviewLinks } from './entries/previews/preview-links.js';
export { rotatePreviewGeneration, selectPreviewGeneration } from './entries/previews/previews.repository.js';
export { VisitRecorder, SlugRedirects } from './site/redirects/index.js';
export {
  countOverdueSchedules,
  publishScheduledEntryJob,
  missedSchedulesRunner,
  schedules,
} from './entries/scheduling/index.js';
export { reconcileContent } from './reconciliation/index.js';
export { countEntries, Definitions } from './schema/index.js';
export { AuthClient } from './clients/index.js';
export { ReadOnlyMode } from './integration/read-only-mode/index.js';
export { contentTags } from './tags.js';
