export { ContentModule, type ContentParts } from './content.module.js';
export { contentTables } from './content.tables.js';
export { contentEntities } from './content.entities.js';
export { EntryServices } from './entries/index.js';
export { Locales } from './locales/index.js';
export { SiteTraffic, SlugRedirects } from './redirects/index.js';
export { overdue, publishScheduledEntryJob, scheduleSweep } from './scheduling/index.js';
export { Definitions } from './schema/index.js';
export { UserDirectory } from './users/index.js';
