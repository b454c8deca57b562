export { importComments } from './import-comments.js';
