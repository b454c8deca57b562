export { UploadDeps } from './upload-deps.js';
export { createItemsOfObjects, reserveObjects } from './operations/create-items-of-objects.js';
