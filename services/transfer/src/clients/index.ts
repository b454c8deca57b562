export type { TransferClients } from './clients.js';
