export { rewriteEntries, type Rewriting } from './rewrite-entries.js';
