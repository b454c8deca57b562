export { stagedRecords } from './staged-records.js';
