import { createServiceApp } from '@quire/http-server';
import { inProcessUpstream, InternalApiClient } from '@quire/service-client';
import type { ServiceDatabases } from '@quire/tenancy';
import type { ServiceName } from '@quire/topology';
import {
  createImportSources,
  TransferDeps,
  TransferModule,
  transferTags,
  WriteFence,
  type SourceNetwork,
} from '@quire/transfer-service';
import { renderErrorPage } from '@quire/ui';
import type { AppContainer } from '../app-container.js';
import { version } from '../version.js';
import { startDispatcher } from './dispatcher.js';

/** Starts the transfer service. @param network another access to the sites of sources; for tests */
export async function startTransfer(
  container: AppContainer,
  databases: ServiceDatabases,
  network?: SourceNetwork,
): Promise<void> {
  const { logger, verifier, lifecycle } = container;
  const app = await createServiceApp({
    service: 'transfer',
    tags: transferTags,
    module: TransferModule.with(await createTransferDeps(container, databases, network)),
    logger,
    verifier,
    tenantDatabase: (tenant, trace) => databases.tenant(tenant, trace),
    renderError: renderErrorPage,
  });
  lifecycle.onShutdown('transfer', () => app.close());
  container.upstreams.set('transfer', inProcessUpstream('transfer', app));
}

/** The dependencies that the service and its worker share. */
export async function createTransferDeps(
  container: AppContainer,
  databases: ServiceDatabases,
  network?: SourceNetwork,
): Promise<TransferDeps> {
  const { environment, logger, site } = container;
  const clientOf = (service: ServiceName) => {
    const upstream = container.upstream(service);
    return new InternalApiClient({ upstream: () => upstream, caller: 'transfer' });
  };
  const clients = {
    content: clientOf('content'),
    media: clientOf('media'),
    auth: clientOf('auth'),
    search: clientOf('search'),
  };
  const dispatcher = await startDispatcher(container, databases);
  const { LEGACY_COM_CLIENT_ID: clientId, LEGACY_COM_CLIENT_SECRET: clientSecret } = environment;
  const application = { clientId, clientSecret };
  const sources = createImportSources({ application, configured: site.import?.sources ?? [] }, network);
  const options = {
    maxImportBytes: environment.CMS_MAX_IMPORT_BYTES,
    maxMediaBytes: environment.CMS_MAX_UPLOAD_BYTES,
    hostedApplication: application,
    version,
  };
  const store = await container.objectStore();
  const fence = new WriteFence(await container.registry(), await container.relay());
  return new TransferDeps(clients, store, sources, logger, () => dispatcher.wake(), fence, options);
}
