export { importEntries } from './import-entries.js';
