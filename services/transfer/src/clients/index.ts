export type { TransferClients } from './clients.js';
export { describeFullStorage } from './storage-full.js';
