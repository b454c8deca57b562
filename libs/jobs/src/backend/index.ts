export { logFactsOf } from './log-facts.js';
export { connectQueueBackend, type QueueBackendOptions } from './connect.js';
export { isStoreFailure } from './store-errors.js';
export {
  PostponedJobError,
  UnrecoverableJobError,
  type JobQueue,
  type ListedJob,
  type ListedState,
  type QueueAdmin,
  type QueueState,
  type JobWorker,
  type NewJob,
  type ProcessRelay,
  type QueueBackend,
  type QueueLogger,
  type RunningJob,
  type WorkerOptions,
} from './queue-backend.js';
