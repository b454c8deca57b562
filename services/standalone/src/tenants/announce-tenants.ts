import type { AppContainer } from '../app-container.js';

/** Makes this process and the others read the registry again, after a change. */
export async function announceTenants(container: AppContainer): Promise<void> {
  (await container.registry()).drop();
  (await container.relay()).invalidate('tenants');
}
