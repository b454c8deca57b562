export { reconcileSearch } from './reconcile-search.js';
