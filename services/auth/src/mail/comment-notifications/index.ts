export { notifyCommentApprovedJob, writeCommentMail } from './comment-notifications.operations.js';
