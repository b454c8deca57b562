export { respond, type EntryRead, type HttpRead } from './respond.js';
export { ResponseCache } from './response-cache.js';
