export { mark } from './mark.js';
