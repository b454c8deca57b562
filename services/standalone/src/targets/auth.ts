import { AuthModule, authEntities, SignInMode } from '@quire/auth-service';
import { createServiceApp, localDoor, ServiceQuestions } from '@quire/http-server';
import type { Installation } from '../installation.js';
import { loginProvidersOf } from './login-providers.js';
import { linkOriginsOf, startMails } from './mails.js';

/** Starts the auth service. */
export async function startAuth(installation: Installation): Promise<void> {
  const { logger, verifier, lifecycle, environment, site } = installation;
  const databases = await installation.databases('auth', authEntities);
  // Content starts after auth and asks it, so auth looks for content when it needs it, and serves without it.
  const content = () => installation.door('content', { isNeeded: false });
  const registry = await installation.registry();
  const mails = startMails(installation);
  const app = await createServiceApp({
    service: 'auth',
    module: AuthModule.with({
      relay: await installation.relay(),
      limiter: await installation.rateLimiter(),
      content: new ServiceQuestions(content, 'auth'),
      allowedOrigins: environment.CMS_ALLOWED_ORIGINS ?? [],
      mails,
      linkOrigins: linkOriginsOf(installation, registry),
      signInMode: new SignInMode(site.auth?.type ?? 'passkey'),
      isSetupOpen: environment.CMS_SETUP === 'open',
      allowsAdminDefaultRole: site.allowAdminDefaultRole ?? false,
      loginProviders: loginProvidersOf(installation),
    }),
    logger,
    verifier,
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
