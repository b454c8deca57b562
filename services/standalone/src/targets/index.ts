export { startAuth } from './auth.js';
export { startContentWorker } from './content-worker.js';
export { startContent } from './content.js';
export { startGateway } from './gateway.js';
export { startMediaWorker } from './media-worker.js';
export { startMedia } from './media.js';
export { openApiDocument } from './openapi-document.js';
