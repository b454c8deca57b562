export { holdsPathText } from './path-search.js';
