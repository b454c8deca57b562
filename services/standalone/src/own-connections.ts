import { AppContainer } from './app-container.js';

/** What uses them does one thing at a time. */
const poolSize = 2;

/**
 * The components of a process with connections of their own, beside those of the requests and jobs of sites, and
 * without an effect on the readiness of the process. The registry and the relay are those of the process.
 */
export function openOwnConnections(container: AppContainer, name: string): AppContainer {
  const { environment, site } = container;
  const own = { ...environment, CMS_DATABASE_POOL_SIZE: poolSize };
  return new AppContainer(own, site, [name], container);
}
