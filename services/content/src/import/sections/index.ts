export { importSections } from './import-sections.js';
