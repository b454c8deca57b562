export { importEntries, type ImportDeps } from './import-entries.js';
