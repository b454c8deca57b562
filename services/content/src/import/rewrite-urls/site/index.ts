export { rewriteSite } from './rewrite-site.js';
