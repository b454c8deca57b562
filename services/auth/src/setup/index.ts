export { admitFirstUser } from './operations/admit-first-user.js';
export { createFirstAdmin, type FirstUser } from './operations/create-first-admin.js';
export { setupCookie } from './setup-cookie.js';
export { SetupAttempt } from './setup-attempt.entity.js';
export { SetupState } from './setup-state.entity.js';
export { SetupController } from './setup.controller.js';
export { setupMigration } from './setup.tables.js';
export { SiteSettings } from './site-settings.js';
