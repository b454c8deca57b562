export { newestFirst, type Page } from './newest-first.js';
export { instant, pageQuery, rowId, storableText } from './page-query.js';
