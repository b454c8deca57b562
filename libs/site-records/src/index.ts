export { FencingTokens } from './fencing/fencing-tokens.js';
export { recordsOf, type RecordSource } from './staging/record-source.js';
export type { StagedRecord } from './staging/staged-record.entity.js';
export { StagedRecords, type RecordCounts, type RecordPage } from './staging/staged-records.js';
export { parentProperties, writeRecords, type RecordBatch } from './writing/write-records.js';
