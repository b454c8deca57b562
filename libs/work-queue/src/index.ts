export { readBacklog, sumOfBacklogs, workName, type Backlog, type CountedTable } from './backlog.js';
export { exponentialBackoff, type Backoff } from './backoff.js';
export { defineLeasedWorkTable, leasedWorkStates, type LeasedWorkState } from './leased-work-table.js';
export { PostponedWorkError } from './postponed-work-error.js';
export { WorkQueueRunner } from './work-queue-runner.js';
export { defineWorkTable, type ClaimOf, type WorkLane } from './work-table.js';
