export { KnownMedia } from './known-media.js';
export { RewriteUrlsController } from './rewrite-urls.controller.js';
