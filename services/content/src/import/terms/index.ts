export { importTerms } from './import-terms.js';
export { taxonomyName } from './import-taxonomies.js';
