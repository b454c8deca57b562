import { jobHandler, runImport } from '@quire/jobs';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { createTransferDeps } from './transfer.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts the steps of imports. */
export async function startTransferWorker(
  container: AppContainer,
  databases: ServiceDatabases,
): Promise<void> {
  await createTransferDeps(container);
  const contextOf = await systemContexts(container, { databases, actor: 'system:transfer' });
  await startJobs(container, {
    target: 'transfer-worker',
    contextOf,
    // Harmless when repeated: the lease of the import decides, and the import holds its progress.
    handlers: [jobHandler(runImport, () => Promise.resolve('ended' as const))],
  });
}
