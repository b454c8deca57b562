export { discardStagedRecords, readStagedRecords, type RecordPage } from './staging/read-records.js';
export { recordsOf, type RecordSource } from './staging/record-source.js';
export { stageRecords, type RecordCounts } from './staging/stage-records.js';
export { StagedRecord } from './staging/staged-record.entity.js';
export { stagedRecordsMigration } from './staging/staged-records.tables.js';
