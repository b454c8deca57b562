export { TenantBatches } from './tenant-batches.js';
