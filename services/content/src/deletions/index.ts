export { beginDeletion, continueDeletion, type DeletionStep } from './deletions.js';
export {
  deletedFieldsOf,
  deleteFieldDeletions,
  deletionWork,
  isBeingDeleted,
  isNotOfDeletedEntry,
} from './deletions.repository.js';
