export {
  deleteAllTasks,
  enqueueReconciliation,
  enqueueReconciliations,
  entryTasks,
  extendReconcileLease,
  hasEntriesToIndex,
  reconcileTasks,
  requestReconciliations,
  searchTasks,
  selectReconciled,
  selectStates,
  type ClaimedTask,
  type CollectionState,
} from './tasks.repository.js';
export { indexInspections } from './index-inspections.js';
