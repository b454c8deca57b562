export { indexInspectionRunner } from './index-inspection-runner.js';
export { SearchJobs } from './search.jobs.js';
export { searchTaskRunner } from './search-task-runner.js';
