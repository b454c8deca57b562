export { PeriodicFlush } from './periodic-flush.js';
export { TenantBatches } from './tenant-batches.js';
