export { Dashboard } from './dashboard.js';
export { withCollections } from './dashboard.operations.js';
export type { VisibleCollection } from './dashboard.repository.js';
