import { createServiceApp, localDoor, ServiceQuestions } from '@quire/http-server';
import { searchEntities, SearchModule, SearchServices, SiteContent } from '@quire/search-service';
import type { Installation } from '../installation.js';
import { startDispatcher } from './dispatcher.js';

/** Starts the search service. */
export async function startSearch(installation: Installation): Promise<void> {
  const { logger, verifier, lifecycle } = installation;
  const databases = await installation.databases('search', searchEntities);
  await startDispatcher(installation, databases);
  const app = await createServiceApp({
    service: 'search',
    module: SearchModule.with(await searchServices(installation)),
    logger,
    verifier,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('search', () => app.close());
  installation.localDoors.set('search', localDoor('search', app));
}

/** What the service and its worker share. */
export async function searchServices(installation: Installation): Promise<SearchServices> {
  const content = installation.door('content');
  const questions = new ServiceQuestions(() => content, 'search');
  return new SearchServices(await installation.searchEngine(), new SiteContent(questions));
}
