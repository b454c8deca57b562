export { SiteContent, unlessGone, type ContentCollection, type ContentDocuments } from './site-content.js';
