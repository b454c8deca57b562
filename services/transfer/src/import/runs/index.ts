export { ImportRunner } from './import-runner.js';
export { importSteps } from './import-steps.repository.js';
export { selectUnfinishedImport } from './imports.repository.js';
export { MeasuredFile } from './measured-file.js';
export { fileTooLarge, noFile, toApiError } from './receive-export.js';
