import { jobHandler, runImport, type RunImport } from '@quire/jobs';
import type { Context } from '@quire/context';
import type { ServiceDatabases } from '@quire/tenancy';
import { ImportRunner } from '@quire/transfer-service';
import type { AppContainer } from '../app-container.js';
import { createTransferDeps } from './transfer.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts the steps of imports. */
export async function startTransferWorker(
  container: AppContainer,
  databases: ServiceDatabases,
): Promise<void> {
  const { lifecycle, logger } = container;
  const deps = await createTransferDeps(container, databases);
  const contextOf = await systemContexts(container, { databases, actor: 'system:transfer' });
  const shared = databases.keys.map((key) => databases.shared(key));
  const imports = new ImportRunner({ databases: shared, deps, contextOf, logger });
  await startJobs(container, {
    target: 'transfer-worker',
    contextOf,
    // A repeated run is harmless: one worker has the lease of an import, and the import holds its progress.
    handlers: [jobHandler(runImport, (ctx: Context, message: RunImport) => imports.run(ctx, message))],
  });
  imports.start();
  lifecycle.onShutdown('import-runner', () => imports.stop());
}
