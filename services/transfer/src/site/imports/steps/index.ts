export { nextImportStep } from './next-import-step.js';
