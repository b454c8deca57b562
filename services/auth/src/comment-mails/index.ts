export { mailApprovedCommentJob } from './operations/mail-approved-comment.js';
export { writeCommentMail } from './operations/write-comment-mail.js';
