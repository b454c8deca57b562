export { fencingTokens } from './fencing-tokens.js';
export { stagedRecords } from './staged-records.js';
