export { addressHash, siteMac, type SiteMac } from './site-key.js';
export { SiteKey } from './site-key.entity.js';
export { siteKeyMigration } from './site-key.tables.js';
