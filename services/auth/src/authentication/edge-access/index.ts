export { EdgeAccessDeps } from './edge-deps.js';
