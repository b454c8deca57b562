export { ImportRecord, type ImportedKind } from './import-record.entity.js';
export {
  advanceTargetVersions,
  deleteRecords,
  insertRecords,
  keyOf,
  lockSource,
  selectImportedTargets,
  selectRecords,
  updateRecords,
  type NewRecord,
  type OwnWrite,
  type StoredRecord,
} from './records.repository.js';
