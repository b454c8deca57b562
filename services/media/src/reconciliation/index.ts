export { reconcileMedia } from './reconcile-media.js';
