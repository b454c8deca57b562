export { deletionsRunner, finishDeletions } from './deletions.runner.js';
