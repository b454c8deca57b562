export { importTerms } from './import-terms.js';
