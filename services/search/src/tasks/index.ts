export {
  deleteAllTasks,
  enqueueReconciliation,
  enqueueReconciliations,
  extendReconcileLease,
  hasEntriesToIndex,
  searchTasks,
  type ClaimedTask,
} from './tasks.repository.js';
