export {
  auditActions,
  AuditHeads,
  AuditLog,
  chainUpkeep,
  exportRecords,
  lastRecord,
  recordEventJob,
  verifyAuditChain,
  type ChainVerification,
  type ExportedRecord,
} from './audit/index.js';
export { AuthModule, mailWriters, type AuthParts } from './auth.module.js';
export { authEntities } from './auth.entities.js';
export { authTables } from './auth.tables.js';
export { mailApprovedCommentJob } from './comment-mails/index.js';
export { LinkOrigins } from './links/index.js';
export { makeMagicLink } from './magic-links/index.js';
export { MailQueue, NoMailer, SmtpMailer, type Mailer } from './mail/index.js';
export { SignInMode } from './sign-in-mode.js';
export { makeSetupLink } from './setup/index.js';
export { ApiToken, createToken } from './tokens/index.js';
export { openSession } from './sessions/index.js';
export { LoginProviders, type ListedProvider } from './providers/index.js';
export { ensureUser, normalisedEmail, User } from './users/index.js';
