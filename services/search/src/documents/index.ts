export { SearchJobs } from './search-jobs.js';
export { taskSweep } from './task-sweep.js';
