export { startAuth } from './auth.js';
export { startContentWorker } from './content-worker.js';
export { startContent } from './content.js';
export { startGateway } from './gateway.js';
export { startMedia } from './media.js';
export { startSearchWorker } from './search-worker.js';
export { startSearch } from './search.js';
export { openApiDocument } from './openapi-document.js';
