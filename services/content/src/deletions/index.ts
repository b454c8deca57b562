export { beginDeletion, continueDeletion, type DeletionStep } from './deletions.js';
export {
  deletedFieldsOf,
  deleteFieldDeletions,
  isBeingDeleted,
  isNotOfDeletedEntry,
} from './deletions.repository.js';
