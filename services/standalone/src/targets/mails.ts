import {
  LinkOrigins,
  MailDelivery,
  MailQueue,
  mailWriters,
  missedMailsRunner,
  NoMailer,
  SmtpMailer,
  type Mailer,
} from '@quire/auth-service';
import { ConfigurationError, type Environment } from '@quire/config';
import type { ServiceDatabases, TenantRegistry } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { publicOriginOf } from './public-origin.js';
import { startSweep } from './sweeps.js';

/**
 * Creates the queue of mails that this process sends, and starts the sweep for missed ones. It starts once per process,
 * for all targets.
 * @throws ConfigurationError as `mailerOf` does.
 */
export function startMails(container: AppContainer, databases: ServiceDatabases): Promise<MailQueue> {
  return container.memoize('mails', () => openMails(container, databases));
}

async function openMails(container: AppContainer, databases: ServiceDatabases): Promise<MailQueue> {
  const { environment, logger, lifecycle, metrics } = container;
  const registry = await container.registry();
  const outcomes = metrics.counter('quire_mails_total');
  const delivery = new MailDelivery({
    mailer: mailerOf(environment),
    writers: mailWriters,
    senderOf: async (tenantId) => (await registry.byId(tenantId))?.settings?.mailFrom,
    logger,
    onOutcome: (outcome) => outcomes.increment({ outcome }),
  });
  const mails = new MailQueue({
    delivery,
    sharedDatabase: ({ database }) => databases.shared(database),
    logger,
  });
  lifecycle.onShutdown('mails', () => mails.stop());
  if (!mails.isConfigured) return mails;
  const sweep = missedMailsRunner({
    databases: databases.keys.map((key) => databases.shared(key)),
    delivery,
    tenantDatabase: async (id) => {
      const tenant = await registry.byId(id);
      return tenant && databases.tenant(tenant);
    },
    logger,
  });
  startSweep(container, 'pending_mails', sweep);
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
