export { notifyTransferApprovalJob } from './notify-transfer-approval.js';
export { writeApprovalMail } from './write-approval-mail.js';
