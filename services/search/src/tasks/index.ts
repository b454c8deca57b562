export {
  enqueueTask,
  claimTasks,
  deleteTask,
  hasEntriesToIndex,
  extendReconcileLease,
  scheduleNextRun,
  retryTask,
  type ClaimedTask,
} from './tasks.repository.js';
