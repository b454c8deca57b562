export { pathContainsCondition } from './path-search.js';
