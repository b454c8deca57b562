import { WorkQueueRunner, type ClaimOf } from '@quire/work-queue';
import type { AppContainer } from '../app-container.js';
import { openOwnConnections } from '../own-connections.js';
import { startSweep } from '../targets/sweeps.js';
import { purgeTenant, tenantPurges } from './purge-tenant.js';

const actor = 'system:tenant-purges';

/**
 * Starts the purges of deleted sites whose time has come, and continues interrupted ones. They need all stores of the
 * installation, and use connections of their own, which are open during a purge only.
 */
export async function startPurges(container: AppContainer): Promise<void> {
  const { logger } = container;
  const registry = await container.registryTables();
  const runner: WorkQueueRunner<ClaimOf<typeof tenantPurges>> = new WorkQueueRunner({
    databases: [registry],
    table: tenantPurges,
    // The next one may be taken by another process.
    batchSize: 1,
    process: async (_, claimed) => {
      const own = openOwnConnections(container, 'tenant-purges');
      try {
        const onExtended = () => runner.tasks.forEach((task) => task.progress());
        await purgeTenant(own, { id: claimed.tenantId, condition: 'due', actor, claimed, onExtended });
      } finally {
        await own.lifecycle.stop();
      }
    },
    failureMessage: 'purge of a deleted site failed: it is continued later',
    fieldsOf: ({ tenantId, attempts }) => ({ tenant: tenantId, attempts }),
    failure: 'purges of deleted sites cannot be read',
    logger,
  });
  startSweep(container, 'tenant_purges', runner);
}
