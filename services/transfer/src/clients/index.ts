export type { TransferClients } from './clients.js';
export { ContentWriteGuard } from './content-write-guard.js';
export { describeFullStorage } from './storage-full.js';
