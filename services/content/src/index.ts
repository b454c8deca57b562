export { ContentModule, type ContentDeps } from './content.module.js';
export { contentTables } from './content.tables.js';
export { Captcha, CommenterCookie } from './comments/index.js';
export { Dashboard } from './dashboard/index.js';
export { contentEntities } from './content.entities.js';
export { EntryDeps } from './entries/index.js';
export { Locales } from './locales/index.js';
export { MediaClient } from './media/index.js';
export {
  selectPreviewGeneration,
  previewKey,
  PreviewLinks,
  rotatePreviewGeneration,
} from './previews/index.js';
export { VisitRecorder, SlugRedirects } from './redirects/index.js';
export {
  countOverdueSchedules,
  publishScheduledEntryJob,
  missedSchedulesRunner,
} from './scheduling/index.js';
export { Definitions } from './schema/index.js';
export { AuthClient } from './users/index.js';
export { ReadOnlyMode } from './read-only-mode/index.js';
