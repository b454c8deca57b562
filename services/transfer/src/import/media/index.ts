export { KnownMedia, recordAddresses, UploadBases, type AttachmentNames } from './addresses/index.js';
export { MediaDownloadRunner, type DownloadRunnerOptions } from './download/download-runner.js';
export { defaultTransferLimits } from './download/transfer-watch.js';
export { downloadTasks, requestForgottenDownloads } from './download-tasks.repository.js';
export { MediaImportModule } from './media.module.js';
