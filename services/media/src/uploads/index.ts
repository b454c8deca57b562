export { UploadDeps } from './upload-deps.js';
export { UploadsController } from './uploads.controller.js';
