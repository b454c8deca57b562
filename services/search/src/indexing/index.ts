export { startBuild } from './start-build.js';
export { build, deleteRetired } from './build.js';
export { isSameSpec, desiredSpec } from './index-spec.js';
export { markIndexLost, reconcileIndex, type ReconcileOutcome } from './reconcile-index.js';
export { writeDocuments } from './write-documents.js';
