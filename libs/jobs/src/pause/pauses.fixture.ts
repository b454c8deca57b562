import type { TransactionalDatabase } from '@quire/database';
import { migrateRegistry, registrySchema, ServiceDatabases, type QueuePause } from '@quire/tenancy';
import { testStores } from '@quire/testing';
import { PausedSites } from './paused-sites.js';

const quiet = () => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };

/** Opens the registry. @param name of the spec */
export async function openRegistry(
  name: string,
): Promise<{ registry: TransactionalDatabase; close: () => Promise<void> }> {
  const databases = await ServiceDatabases.open({
    service: 'registry',
    url: testStores().databaseUrl,
    extraUrls: new Map(),
    poolSize: 2,
    applicationName: name,
  });
  await migrateRegistry(databases);
  return { registry: databases.inSchema(registrySchema), close: () => databases.close() };
}

/** Paused sites whose reads return the present rows of a list. */
export function pausedSitesOf(rows: readonly Omit<QueuePause, 'pausedAt'>[]): PausedSites {
  const query = async <Row>() => rows.map((row) => ({ ...row, pausedAt: '' })) as Row[];
  return new PausedSites({ query }, logger, 20);
}
