export { ContentClient } from './clients/index.js';
export { indexInspectionRunner, SearchJobs, searchTaskRunner } from './worker/index.js';
export { searchEntities } from './search.module.js';
export { SearchModule } from './search.module.js';
export { searchTables } from './migrations/index.js';
export { reconcileSearch } from './reconciliation/index.js';
export { SearchDeps } from './search-deps.js';
export { searchTasks } from './tasks/index.js';
export { searchTags } from './tags.js';
