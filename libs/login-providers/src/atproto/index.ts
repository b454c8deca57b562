export { atproto, createAtproto } from './provider/atproto.js';
export type { AllowedAccounts } from './provider/allowed-accounts.js';
export type { Network } from './network/network.js';
