export { ImportRunner } from './import-runner.js';
export { fileTooLarge, toApiError } from './receive-export.js';
