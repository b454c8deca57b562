export { RewriteContext, type MediaByUrl } from './rewrite-context.js';
export { rewriteRichText } from './rewrite-rich-text.js';
export { isRewritten, rewriteValues } from './rewrite-values.js';
