import { AdminModule } from '@quire/admin-service';
import { createServiceApp } from '@quire/http-server';
import { inProcessUpstream } from '@quire/service-client';
import { renderErrorPage } from '@quire/ui';
import type { AppContainer } from '../app-container.js';

/** Starts the admin service. */
export async function startAdmin(container: AppContainer): Promise<void> {
  const { logger, verifier, lifecycle } = container;
  const app = await createServiceApp({
    service: 'admin',
    module: AdminModule,
    logger,
    verifier,
    tenantDatabase: () => {
      throw new Error('The admin service has no data of its own');
    },
    renderError: renderErrorPage,
  });
  lifecycle.onShutdown('admin', () => app.close());
  container.upstreams.set('admin', inProcessUpstream('admin', app));
}
