export { renderLinkMail } from './link-mail.js';
export { MailDelivery, type MailOutcome, type MailWriter } from './mail-delivery.js';
export { MailQueue } from './mail-queue.js';
export { missedMailsRunner } from './missed-mails.runner.js';
export { pendingMails } from './pending-mails.repository.js';
export { quoted } from './quoted.js';
export type { MailKind, MailRequest } from './mail-request.js';
export { Mailer, NoMailer, type Mail, type Sender } from './mailer.js';
export { SmtpMailer } from './smtp-mailer.js';
