import { authEntities, authTables, pendingMails } from '@quire/auth-service';
import {
  contentEntities,
  contentTables,
  deletionWork,
  reconcileContent,
  schedules,
} from '@quire/content-service';
import type { DatabaseOptions } from '@quire/database';
import {
  mediaEntities,
  mediaTables,
  objectDeletions,
  reconcileMedia,
  usageDeletions,
  usageRebuilds,
  usageWork,
} from '@quire/media-service';
import { reconcileSearch, searchEntities, searchTables, searchTasks } from '@quire/search-service';
import type { Reconcile, ServiceDatabases, ServiceTables } from '@quire/tenancy';
import {
  namesWith,
  serviceNames,
  services as topology,
  workerOf,
  type DataServiceName,
  type ServiceName,
  type Target,
  type WorkerServiceName,
} from '@quire/topology';
import {
  downloadTasks,
  importSteps,
  reconcileTransfer,
  transferEntities,
  transferSteps,
  transferTables,
} from '@quire/transfer-service';
import type { CountedTable } from '@quire/work-queue';
import type { AppContainer } from './app-container.js';
import { startAdmin } from './targets/admin.js';
import { startAuthWorker } from './targets/auth-worker.js';
import { startAuth } from './targets/auth.js';
import { startContentWorker } from './targets/content-worker.js';
import { startContent } from './targets/content.js';
import { startMediaWorker } from './targets/media-worker.js';
import { startMedia } from './targets/media.js';
import { observeBacklog } from './targets/queue-metrics.js';
import { startSearchWorker } from './targets/search-worker.js';
import { startSearch } from './targets/search.js';
import { startTransferWorker } from './targets/transfer-worker.js';
import { startTransfer } from './targets/transfer.js';

type Start<Name> = (
  container: AppContainer,
  databases: Name extends DataServiceName ? ServiceDatabases : undefined,
) => Promise<void>;

interface ServiceData {
  entities: NonNullable<DatabaseOptions['entities']>;
  /** Migrations of its tables. */
  tables: ServiceTables;
  /** Its tables of pending work, which are in its shared schema. */
  work: readonly CountedTable[];
  /** Brings its derived rows in line with its tables; absent for a service without any. */
  reconcile?: Reconcile;
}

/** The parts of a service that its entry in `libs/topology` requires. */
type ServiceParts<Name> = { start: Start<Name> } & (Name extends DataServiceName ? ServiceData : object) &
  (Name extends WorkerServiceName ? { startWorker: Start<Name> } : object);

const services: { [Name in ServiceName]: ServiceParts<Name> } = {
  auth: {
    entities: authEntities,
    tables: authTables,
    work: [pendingMails],
    start: startAuth,
    startWorker: startAuthWorker,
  },
  content: {
    entities: contentEntities,
    tables: contentTables,
    work: [schedules, deletionWork],
    start: startContent,
    startWorker: startContentWorker,
    reconcile: reconcileContent,
  },
  media: {
    entities: mediaEntities,
    tables: mediaTables,
    work: [usageWork, usageRebuilds, usageDeletions, objectDeletions],
    start: startMedia,
    startWorker: startMediaWorker,
    reconcile: reconcileMedia,
  },
  search: {
    entities: searchEntities,
    tables: searchTables,
    work: [searchTasks],
    start: startSearch,
    startWorker: startSearchWorker,
    reconcile: reconcileSearch,
  },
  transfer: {
    entities: transferEntities,
    tables: transferTables,
    work: [importSteps, downloadTasks, transferSteps],
    start: startTransfer,
    startWorker: startTransferWorker,
    reconcile: reconcileTransfer,
  },
  admin: { start: startAdmin },
};

/** Starts a target other than the gateway. */
export type StartTarget = (container: AppContainer) => Promise<void>;

/** The starters in the order of the start: services first, because workers call them. */
export const targetStarters: ReadonlyMap<Target, StartTarget> = new Map<Target, StartTarget>([
  ...serviceNames.map((name) => [name, starterOf(name, services[name].start)] as const),
  ...namesWith('hasWorker').map(
    (name) => [workerOf(name), starterOf(name, services[name].startWorker)] as const,
  ),
]);

/** The databases of a service, opened once per process. */
export function databasesOf(container: AppContainer, service: DataServiceName): Promise<ServiceDatabases> {
  return container.databases(service, services[service].entities);
}

/** The tables of pending work of a service. */
export function workOf(service: DataServiceName): readonly CountedTable[] {
  return services[service].work;
}

/** What brings the derived rows of a service in line with its tables. */
export function reconcileOf(service: DataServiceName): Reconcile | undefined {
  const { reconcile }: ServiceData = services[service];
  return reconcile;
}

/** The databases of all services, with the migrations of their tables. */
export function ownedTables(
  container: AppContainer,
): Promise<{ databases: ServiceDatabases; tables: ServiceTables }[]> {
  const owned = namesWith('hasData').map(async (service) => ({
    databases: await databasesOf(container, service),
    tables: services[service].tables,
  }));
  return Promise.all(owned);
}

function starterOf<Name extends ServiceName>(service: Name, start: Start<Name>): StartTarget {
  return async (container) => {
    const databases = hasData(service) ? await databasesOf(container, service) : undefined;
    if (databases && hasData(service)) await observeBacklog(container, databases, workOf(service));
    await start(container, databases as Parameters<Start<Name>>[1]);
  };
}

function hasData(service: ServiceName): service is DataServiceName {
  return topology[service].hasData;
}
