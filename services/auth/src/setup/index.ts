export { ContentDoor } from './content-door.js';
export { createFirstAdmin, type FirstUser } from './operations/create-first-admin.js';
export { holdSetup, setupProgress } from './setup.repository.js';
export { SetupAttempt } from './setup-attempt.entity.js';
export { SetupState } from './setup-state.entity.js';
export { SetupController } from './setup.controller.js';
export { setupMigration } from './setup.tables.js';
export { SiteSeed } from './site-seed.js';
export { SiteSettings } from './site-settings.js';
