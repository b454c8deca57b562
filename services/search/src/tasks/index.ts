export {
  enqueueReconciliation,
  extendReconcileLease,
  hasEntriesToIndex,
  searchTasks,
  type ClaimedTask,
} from './tasks.repository.js';
