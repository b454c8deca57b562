export { ContentModule, type ContentDeps } from './content.module.js';
export { contentTables } from './migrations/index.js';
export { Captcha, CommenterCookie } from './comments/index.js';
export { Dashboard } from './site/dashboard/index.js';
export { contentEntities } from './content.entities.js';
export { EntryDeps } from './entries/index.js';
export { Locales } from './locales/index.js';
export { MediaClient } from './clients/index.js';
export {
  selectPreviewGeneration,
  previewKey,
  PreviewLinks,
  rotatePreviewGeneration,
} from './entries/previews/index.js';
export { VisitRecorder, SlugRedirects } from './site/redirects/index.js';
export {
  countOverdueSchedules,
  publishScheduledEntryJob,
  missedSchedulesRunner,
} from './entries/scheduling/index.js';
export { Definitions } from './schema/index.js';
export { AuthClient } from './clients/index.js';
export { ReadOnlyMode } from './integration/read-only-mode/index.js';
export { contentTags } from './tags.js';
