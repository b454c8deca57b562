export { checkTarget } from './execution/check-target.js';
export { firstProgress } from './execution/execution-progress.js';
export { nextImportStep } from './next-import-step.js';
