import type { Context } from '@quire/context';
import {
  advanceTransfer,
  downloadMedia,
  jobHandler,
  runImport,
  type AdvanceTransfer,
  type RunImport,
} from '@quire/jobs';
import { guardedFetch } from '@quire/outgoing-http';
import type { ServiceDatabases } from '@quire/tenancy';
import {
  defaultTransferLimits,
  ImportRunner,
  MediaDownloadRunner,
  OperationRunner,
  type TransferDeps,
} from '@quire/transfer-service';
import type { AppContainer } from '../app-container.js';
import { startSweep } from './sweeps.js';
import { createTransferDeps } from './transfer.js';
import { startJobs, systemContexts, type SystemContexts } from './worker.js';

/** Starts the steps of imports, and the downloads of their media. */
export async function startTransferWorker(
  container: AppContainer,
  databases: ServiceDatabases,
): Promise<void> {
  const { logger } = container;
  const deps = await createTransferDeps(container, databases);
  const contextOf = await systemContexts(container, { databases, actor: 'system:transfer' });
  const shared = databases.keys.map((key) => databases.shared(key));
  const imports = new ImportRunner({ databases: shared, deps, contextOf, logger });
  const operations = new OperationRunner({ databases: shared, deps, contextOf, logger });
  const downloads = createDownloadRunner(container, { databases: shared, deps, contextOf });
  await startJobs(container, {
    target: 'transfer-worker',
    contextOf,
    handlers: [
      // A repeated run is harmless: one worker has the lease of an import, and the import holds its progress.
      jobHandler(runImport, (ctx: Context, message: RunImport) => imports.run(ctx, message)),
      // The same holds for the operations of site transfers.
      jobHandler(advanceTransfer, (ctx: Context, message: AdvanceTransfer) => operations.run(ctx, message)),
      // Harmless too: each download has a lease.
      jobHandler(downloadMedia, () => {
        downloads.wake();
        return Promise.resolve('woken' as const);
      }),
    ],
  });
  startSweep(container, 'import_steps', imports);
  startSweep(container, 'transfer_steps', operations);
  startSweep(container, 'media_download_tasks', downloads);
}

/** The downloads of media imports, from public addresses only. */
function createDownloadRunner(
  { environment, logger }: AppContainer,
  {
    databases,
    deps: { clients, store, fence },
    contextOf,
  }: {
    databases: ReturnType<ServiceDatabases['shared']>[];
    deps: TransferDeps;
    contextOf: SystemContexts;
  },
): MediaDownloadRunner {
  const maxBytes = environment.CMS_MAX_UPLOAD_BYTES;
  const limits = defaultTransferLimits;
  const fetch = guardedFetch({
    protocols: ['http:', 'https:'],
    anyPort: true,
    timeoutMs: limits.totalMs,
    maxBytes,
  });
  return new MediaDownloadRunner({
    databases,
    contextOf,
    logger,
    fence,
    deps: { media: clients.media, store, fetch, limits, maxBytes },
  });
}
