export { notifyCommentApprovedJob } from './operations/notify-comment-approved.js';
export { writeCommentMail } from './operations/write-comment-mail.js';
