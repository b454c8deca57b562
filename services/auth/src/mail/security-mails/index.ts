export { securityMails } from './security-mails.js';
export { writeSecurityMail, type SecurityMailKind } from './write-security-mail.js';
