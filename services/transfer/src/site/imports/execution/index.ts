export { advanceTransferImport, type AdvancedImport } from './advance-transfer-import.js';
export { checkExecutable, type ExecutableImport, type ExecutionRequest } from './check-executable.js';
export { advance, execute, ExecutionController } from './execution.controller.js';
export { executeTransferImport } from './execute-transfer-import.js';
export { getTransferImportReceipt } from '../receipt/get-transfer-import-receipt.js';
