export { RewriteUrlsController } from './rewrite-urls.controller.js';
