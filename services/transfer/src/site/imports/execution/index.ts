export { checkExecutable, type ExecutableImport, type ExecutionRequest } from './check-executable.js';
export { executeTransferImport } from './execute-transfer-import.js';
