export { importedKinds, type ImportedKind } from './import-record.entity.js';
export {
  deleteRecords,
  insertRecords,
  keyOf,
  lockSource,
  selectRecords,
  type NewRecord,
  type StoredRecord,
} from './records.repository.js';
