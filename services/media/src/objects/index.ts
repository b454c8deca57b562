export {
  scheduleObjectDeletions,
  postponeObjectDeletion,
  resumeObjectDeletions,
  cancelObjectDeletion,
  cancelObjectDeletions,
} from './object-deletions.repository.js';
export { objectDeletionRunner } from './object-deletion-runner.js';
export { MediaObjects } from './media-objects.js';
