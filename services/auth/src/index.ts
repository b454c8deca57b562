export { AuthModule, mailWriters, type AuthParts } from './auth.module.js';
export { authEntities } from './auth.entities.js';
export { authTables } from './auth.tables.js';
export { LinkOrigins } from './links/index.js';
export { MailQueue, NoMailer, SmtpMailer, type Mailer } from './mail/index.js';
export { ApiToken, createToken } from './tokens/index.js';
export { openSession } from './sessions/index.js';
export { SiteSettings } from './setup/index.js';
export { ensureUser, User } from './users/index.js';
