export { MediaDownloadRunner, type DownloadRunnerOptions } from './download/download-runner.js';
export { type DownloadDeps } from './download/process-download.js';
export { defaultTransferLimits } from './download/transfer-watch.js';
export { MediaImportModule } from './media.module.js';
