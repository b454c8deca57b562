import { LinkOrigins, MailQueue, mailWriters, NoMailer, SmtpMailer, type Mailer } from '@quire/auth-service';
import { ConfigurationError, type Environment } from '@quire/config';
import type { TenantRegistry } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { publicOriginOf } from './public-origin.js';

/** Creates the queue of mails that this process sends. @throws ConfigurationError as `mailerOf` does. */
export function startMails({ environment, logger, lifecycle }: AppContainer): MailQueue {
  const mails = new MailQueue(mailerOf(environment), mailWriters, logger);
  lifecycle.onShutdown('mails', () => mails.stop());
  return mails;
}

/** The origins with which links in mails may begin. */
export function linkOriginsOf(container: AppContainer, registry: TenantRegistry): LinkOrigins {
  return new LinkOrigins(publicOriginOf(container.environment), (host) => registry.knowsHost(host));
}

/** @throws ConfigurationError when one of the two variables is missing. */
function mailerOf({ CMS_SMTP_URL, CMS_MAIL_FROM }: Environment): Mailer {
  if (CMS_SMTP_URL === undefined && CMS_MAIL_FROM === undefined) return new NoMailer();
  if (CMS_SMTP_URL === undefined)
    throw new ConfigurationError('CMS_SMTP_URL is not set: CMS_MAIL_FROM alone sends no mail');
  if (CMS_MAIL_FROM === undefined)
    throw new ConfigurationError('CMS_MAIL_FROM is not set: mail needs the address of its sender');
  return new SmtpMailer(CMS_SMTP_URL, CMS_MAIL_FROM);
}
