export { instant, pageQuery, rowId, storableText } from './page-query.js';
