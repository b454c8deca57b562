export { DeletionSite } from './deletion-site.js';
