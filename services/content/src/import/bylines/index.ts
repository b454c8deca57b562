export { importBylines } from './import-bylines.js';
