export { UploadDeps } from './upload-deps.js';
