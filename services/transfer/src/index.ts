export type { TransferClients } from './clients/index.js';
export { defaultTransferLimits, MediaDownloadRunner } from './import/media/index.js';
export { ImportRunner } from './import/runs/index.js';
export { createImportSources, type SourceNetwork } from './import/sources/index.js';
export { transferTables } from './migrations/index.js';
export { OperationRunner } from './site/operations/operation-runner.js';
export { transferTags } from './tags.js';
export { TransferDeps } from './transfer-deps.js';
export { transferEntities, TransferModule } from './transfer.module.js';
