export type { TransferClients } from './clients.js';
export { ContentWriteGuard } from './content-write-guard.js';
