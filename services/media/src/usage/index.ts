export { ActivationService } from './activation/activation-service.js';
export { ContentReferencesClient } from './content-references.client.js';
export { syncCollection } from './operations/sync-collection.js';
export { deleteCollectionUsage } from './operations/delete-collection-usage.js';
export { indexChangedEntry } from './operations/index-entry.js';
export { includeUsage, usageSummarySchema, type UsageSummary } from './usage.schemas.js';
export { UsageDeps } from './usage-deps.js';
export { usageSummaries } from './usage-summaries.js';
export { usageRunners } from './usage-runners.js';
