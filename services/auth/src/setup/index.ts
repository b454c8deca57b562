export { createFirstAdmin, type FirstUser } from './operations/create-first-admin.js';
export { getSetupStatus, type SetupStatus } from './operations/get-setup-status.js';
export { setUpSite } from './operations/set-up-site.js';
export { siteBody } from './setup.schemas.js';
export { SetupAttempt } from './setup-attempt.entity.js';
export { SetupState } from './setup-state.entity.js';
export { SetupController } from './setup.controller.js';
export { setupMigration } from './setup.tables.js';
export { SiteSettings } from './site-settings.js';
