export { UploadServices } from './upload-services.js';
export { UploadsController } from './uploads.controller.js';
