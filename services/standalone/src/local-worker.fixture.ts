import type { Environment } from '@quire/config';
import { guardedFetch } from '@quire/outgoing-http';
import type { ServiceDatabases } from '@quire/tenancy';
import { serviceNames, variableName } from '@quire/topology';
import { defaultTransferLimits, ImportRunner, MediaDownloadRunner } from '@quire/transfer-service';
import { AppContainer } from './app-container.js';
import type { TestInstallation } from './installation.fixture.js';
import type { RunningProcess } from './process.js';
import { databasesOf } from './services.js';
import { createTransferDeps } from './targets/transfer.js';
import { systemContexts } from './targets/worker.js';

const maxBytes = 1_000_000;

/** The environment in which all targets of a spec reach the services of another process. */
export const addressesOf = (services: RunningProcess): Partial<Environment> => ({
  ...sharedSecret,
  ...Object.fromEntries(
    serviceNames.map((service) => [variableName(service, 'URL'), `http://127.0.0.1:${services.port}`]),
  ),
});

export const sharedSecret: { CMS_INTERNAL_SECRET: [string] } = {
  CMS_INTERNAL_SECRET: ['the secret that all targets have in common'],
};

/** A worker of imports that, unlike the real one, downloads from local servers. */
export interface LocalWorker {
  databases: ServiceDatabases;
  stop(): Promise<void>;
}

export async function startLocalWorker(
  { environment }: TestInstallation,
  services: RunningProcess,
): Promise<LocalWorker> {
  const container = new AppContainer({ ...environment, ...addressesOf(services) }, { defaultLocale: 'en' }, [
    'transfer-worker',
  ]);
  const databases = await databasesOf(container, 'transfer');
  const deps = await createTransferDeps(container, databases);
  const { clients, store, logger, fence } = deps;
  const contextOf = await systemContexts(container, { databases, actor: 'system:transfer' });
  const shared = { databases: [databases.shared()], contextOf, logger };
  const fetch = guardedFetch({ protocols: ['http:', 'https:'], maxBytes, allowLoopback: true });
  const limits = defaultTransferLimits;
  const imports = new ImportRunner({ ...shared, deps });
  const downloads = new MediaDownloadRunner({
    ...shared,
    fence,
    deps: { media: clients.media, store, fetch, maxBytes, limits },
    everyMs: 50,
  });
  imports.start();
  downloads.start();
  return {
    databases,
    async stop() {
      await imports.stop();
      await downloads.stop();
      await container.lifecycle.stop();
    },
  };
}
