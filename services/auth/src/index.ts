export {
  auditActions,
  AuditHeads,
  AuditLog,
  chainMaintenance,
  exportRecords,
  lastRecordNumber,
  recordEventJob,
  verifyAuditChain,
  type ChainVerification,
  type ExportedRecord,
} from './audit/index.js';
export { authEntities, AuthModule, mailWriters, type AuthDeps } from './auth.module.js';
export { authTables } from './migrations/index.js';
export { notifyCommentApprovedJob } from './mail/comment-notifications/index.js';
export { notifyTransferApprovalJob } from './mail/transfer-approvals/index.js';
export { LinkOrigins } from './mail/links/index.js';
export { createMagicLink } from './authentication/magic-links/index.js';
export {
  MailDelivery,
  MailQueue,
  missedMailsRunner,
  NoMailer,
  pendingMails,
  SmtpMailer,
  type Mailer,
} from './mail/index.js';
export { SignInMode } from './authentication/sign-in-mode.js';
export { createSetupLink } from './registration/setup/index.js';
export { ApiToken, createToken } from './authentication/api-tokens/index.js';
export { openSession } from './authentication/sessions/index.js';
export { LoginProviders, type ListedProvider } from './authentication/external-providers/index.js';
export { countUsers, ensureUser, normaliseEmail, User } from './users/index.js';
export { authTags } from './tags.js';
