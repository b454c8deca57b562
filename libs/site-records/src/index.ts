export { FencingTokens } from './fencing/fencing-tokens.js';
export { siteRecordsController, type SiteRecordsOperations } from './operations/site-records.controller.js';
export { stagingOperations } from './operations/staging-operations.js';
export { recordsOf, type RecordSource } from './staging/record-source.js';
export type { StagedRecord } from './staging/staged-record.entity.js';
export { StagedRecords, type RecordCounts, type RecordPage } from './staging/staged-records.js';
export { writeRecords, type RecordBatch } from './writing/write-records.js';
