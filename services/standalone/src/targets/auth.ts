import { AuthModule, authEntities, SiteSettings } from '@quire/auth-service';
import { createServiceApp, localDoor } from '@quire/http-server';
import type { Installation } from '../installation.js';

/** Starts the auth service. */
export async function startAuth(installation: Installation): Promise<void> {
  const { logger, internalKey, lifecycle, signer, environment } = installation;
  const databases = await installation.databases('auth', authEntities);
  // Content starts after auth and asks it, so auth looks for content when it needs it, and serves without it.
  const content = () => installation.door('content', { isNeeded: false });
  const app = await createServiceApp({
    service: 'auth',
    module: AuthModule.with({
      relay: await installation.relay(),
      limiter: await installation.rateLimiter(),
      siteSettings: new SiteSettings(content, signer),
      allowedOrigins: environment.CMS_ALLOWED_ORIGINS ?? [],
      auditRetentionDays: environment.CMS_AUDIT_RETENTION_DAYS,
    }),
    logger,
    internalKey,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('auth', () => app.close());
  installation.localDoors.set('auth', localDoor('auth', app));
}
