import { createServiceApp } from '@quire/http-server';
import { inProcessUpstream, InternalApiClient } from '@quire/service-client';
import { searchTags, SearchModule, SearchDeps, ContentClient } from '@quire/search-service';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { startDispatcher } from './dispatcher.js';

/** Starts the search service. */
export async function startSearch(container: AppContainer, databases: ServiceDatabases): Promise<void> {
  const { logger, verifier, lifecycle } = container;
  await startDispatcher(container, databases);
  const app = await createServiceApp({
    service: 'search',
    tags: searchTags,
    module: SearchModule.with(await createSearchDeps(container)),
    logger,
    verifier,
    tenantDatabase: (tenant, trace) => databases.tenant(tenant, trace),
  });
  lifecycle.onShutdown('search', () => app.close());
  container.upstreams.set('search', inProcessUpstream('search', app));
}

/** The dependencies that the service and its worker share. */
export async function createSearchDeps(container: AppContainer): Promise<SearchDeps> {
  const content = container.upstream('content');
  const contentClient = new InternalApiClient({ upstream: () => content, caller: 'search' });
  return new SearchDeps(await container.searchEngine(), new ContentClient(contentClient));
}
