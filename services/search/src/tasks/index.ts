export {
  addTask,
  claimTasks,
  forgetTask,
  hasEntriesToIndex,
  holdTending,
  repeatTask,
  retryTask,
  type ClaimedTask,
} from './tasks.repository.js';
export { tasksMigration } from './tasks.tables.js';
