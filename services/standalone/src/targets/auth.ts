import {
  AuthModule,
  authEntities,
  LinkOrigins,
  MailQueue,
  mailWriters,
  NoMailer,
  SignInMode,
  SmtpMailer,
  type Mailer,
} from '@quire/auth-service';
import { ConfigurationError, type Environment } from '@quire/config';
import { createServiceApp, localDoor, ServiceQuestions } from '@quire/http-server';
import type { Installation } from '../installation.js';
import { loginProvidersOf } from './login-providers.js';
import { publicOriginOf } from './public-origin.js';

/** Starts the auth service. */
export async function startAuth(installation: Installation): Promise<void> {
  const { logger, internalKey, lifecycle, signer, environment, site } = installation;
  const databases = await installation.databases('auth', authEntities);
  // Content starts after auth and asks it, so auth looks for content when it needs it, and serves without it.
  const content = () => installation.door('content', { isNeeded: false });
  const registry = await installation.registry();
  const mails = new MailQueue(mailerOf(environment), mailWriters, logger);
  lifecycle.started('mails', () => mails.stop());
  const app = await createServiceApp({
    service: 'auth',
    module: AuthModule.with({
      relay: await installation.relay(),
      limiter: await installation.rateLimiter(),
      content: new ServiceQuestions(content, signer, 'auth'),
      allowedOrigins: environment.CMS_ALLOWED_ORIGINS ?? [],
      auditRetentionDays: environment.CMS_AUDIT_RETENTION_DAYS,
      mails,
      linkOrigins: new LinkOrigins(publicOriginOf(installation), (host) => registry.knowsHost(host)),
      signInMode: new SignInMode(site.auth?.type ?? 'passkey'),
      loginProviders: loginProvidersOf(installation),
    }),
    logger,
    internalKey,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('auth', () => app.close());
  installation.localDoors.set('auth', localDoor('auth', app));
  try {
    // Mails that an earlier process left behind are sent now.
    for (const tenant of await registry.list()) mails.wake(tenant.id, databases.tenant(tenant));
  } catch (error) {
    logger.warn({ err: error }, 'mails that wait are sent with the next one of their site');
  }
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
