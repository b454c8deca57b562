export { securityMails } from './security-mails.js';
export { writeSecurityMail } from './write-security-mail.js';
