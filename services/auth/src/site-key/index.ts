export { addressHash, siteMac, type SiteMac } from './site-key.js';
