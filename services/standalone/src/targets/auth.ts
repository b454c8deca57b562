import { AuthModule, authEntities } from '@quire/auth-service';
import { createServiceApp, localDoor } from '@quire/http-server';
import type { Installation } from '../installation.js';

/** Starts the auth service. */
export async function startAuth(installation: Installation): Promise<void> {
  const { logger, internalKey, lifecycle } = installation;
  const databases = await installation.databases('auth', authEntities);
  const app = await createServiceApp({
    service: 'auth',
    module: AuthModule.with({
      relay: await installation.relay(),
      limiter: await installation.rateLimiter(),
    }),
    logger,
    internalKey,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('auth', () => app.close());
  installation.localDoors.set('auth', localDoor('auth', app));
}
