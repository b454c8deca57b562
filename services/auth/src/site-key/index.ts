export { addressHash, siteMac, type SiteMac } from './site-key.js';
export { SiteKey } from './site-key.entity.js';
