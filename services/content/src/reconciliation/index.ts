export { reconcileContent } from './reconcile-content.js';
