import { downloadMedia, jobHandler, runImport } from '@quire/jobs';
import { guardedFetch } from '@quire/outgoing-http';
import type { ServiceDatabases } from '@quire/tenancy';
import { defaultTransferLimits, MediaDownloadRunner } from '@quire/transfer-service';
import type { AppContainer } from '../app-container.js';
import { createTransferDeps } from './transfer.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts the steps of imports, and the downloads of their media. */
export async function startTransferWorker(
  container: AppContainer,
  databases: ServiceDatabases,
): Promise<void> {
  const { logger, lifecycle, environment } = container;
  const { clients, store } = await createTransferDeps(container);
  const contextOf = await systemContexts(container, { databases, actor: 'system:transfer' });
  const maxBytes = environment.CMS_MAX_UPLOAD_BYTES;
  const limits = defaultTransferLimits;
  const downloads = new MediaDownloadRunner({
    databases: databases.keys.map((key) => databases.shared(key)),
    contextOf,
    deps: {
      media: clients.media,
      store,
      limits,
      maxBytes,
      fetch: guardedFetch({
        protocols: ['http:', 'https:'],
        anyPort: true,
        timeoutMs: limits.totalMs,
        maxBytes,
      }),
    },
    logger,
  });
  downloads.start();
  lifecycle.onShutdown('media-downloads', () => downloads.stop());
  await startJobs(container, {
    target: 'transfer-worker',
    contextOf,
    // Harmless when repeated: the lease of the import decides, and the import holds its progress.
    handlers: [
      jobHandler(runImport, () => Promise.resolve('ended' as const)),
      // Harmless when repeated: downloads are leased.
      jobHandler(downloadMedia, () => {
        downloads.wake();
        return Promise.resolve('woken' as const);
      }),
    ],
  });
}
