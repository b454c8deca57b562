export { selectMediaUse } from './uploads.repository.js';
export { createItemsOfObjects, reserveObjects } from './operations/create-items-of-objects.js';
export { StorageQuota } from './storage-quota.js';
export { UploadDeps } from './upload-deps.js';
