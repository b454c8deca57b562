export { beginDeletion, continueDeletion, type DeletionStep } from './deletions.js';
export {
  deletedFieldsOf,
  deleteFieldDeletions,
  deletionWork,
  isBeingDeleted,
  isNotOfDeletedEntry,
  repairDeletionWork,
} from './deletions.repository.js';
