export {
  scheduleObjectDeletions,
  postponeObjectDeletion,
  repairObjectDeletions,
  resumeObjectDeletions,
  cancelObjectDeletion,
  cancelObjectDeletions,
  cancelDeletionStatement,
  uploadExpiredError,
  objectDeletions,
} from './object-deletions.repository.js';
export { objectDeletionRunner } from './object-deletion-runner.js';
export { MediaObjects } from './media-objects.js';
