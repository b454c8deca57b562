export { UploadDeps } from './upload-deps.js';
export { selectMediaUse } from './uploads.repository.js';
export { createItemsOfObjects, reserveObjects } from './operations/create-items-of-objects.js';
