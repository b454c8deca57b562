export { SiteSeed, SiteSettings } from './content.client.js';
export { lockSetup, isSetUp, selectSetupProgress } from './setup.repository.js';
export { createFirstAdminFromProvider } from './operations/create-first-admin-from-provider.js';
export {
  createSetupLink,
  getSetupStatus,
  needsSetup,
  startAdminSetup,
  type SetupStatus,
} from './setup.operations.js';
export { setSetupCookie, setSetupLinkCookie, setupCookie, setupLinkCookie } from './setup-cookie.js';
export { setUpSite } from './operations/set-up-site.js';
export { adminBody, siteBody } from './setup.schemas.js';
export { SetupAccess, type SetupLink } from './setup-access.js';
