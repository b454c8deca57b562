export { getImportTargets } from './targets.operations.js';
