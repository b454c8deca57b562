export { instantText, pageQuery, rowId, storableText } from './page-query.js';
