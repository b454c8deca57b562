export { createTransferExport } from './create-transfer-export.js';
export { nextExportStep } from './steps/next-export-step.js';
