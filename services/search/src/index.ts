export { SiteContent } from './content/index.js';
export { SearchJobs, taskSweep } from './documents/index.js';
export { searchEntities } from './search.entities.js';
export { SearchModule } from './search.module.js';
export { searchTables } from './search.tables.js';
export { SearchServices } from './search-services.js';
