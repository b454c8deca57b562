import { countUsers } from '@quire/auth-service';
import { countEntries } from '@quire/content-service';
import { jobs as declaredJobs, SiteJobs } from '@quire/jobs';
import { selectMediaUse } from '@quire/media-service';
import type { Logger } from '@quire/observability';
import { tenantSchema, type Tenant, type TenantDetails } from '@quire/tenancy';
import { namesWith, type DataServiceName } from '@quire/topology';
import type { AppContainer } from '../app-container.js';
import { ownVersion } from '../migration/migrate-all.js';
import { migrationStatus, type MigrationState } from '../migration/migration-status.js';
import { QueueAdminService } from '../queue-admin-service.js';
import { readPart } from '../read-part.js';
import { databasesOf, ownedTables } from '../services.js';

/** What a site has. Numbers are exact unless stated; a part whose store does not respond is null. */
export interface TenantUse {
  /** Of its tables, by the records of the registry. */
  migrations: { state: MigrationState; behind: string[]; error: string | null } | null;
  /** Size of its schemas on disk, and the number of their tables, indexes and sequences. */
  storage: { bytes: number; relations: number } | null;
  /** Entries of all collections without those in the trash. */
  entries: number | null;
  /** Uploaded files without their variants. */
  media: { files: number; bytes: number } | null;
  /** Users, also disabled ones. */
  users: number | null;
  jobs: TenantJobs | null;
  /** Scheduled publications. */
  schedules: { planned: number; due: number; lateSeconds: number } | null;
}

export interface TenantJobs {
  /** Messages that are not in a queue yet. */
  outbox: number;
  waiting: number;
  active: number;
  delayed: number;
  /** Jobs after their last attempt, and messages that their queue rejects. */
  failed: number;
  /** False: some queue has more jobs than were read, so there may be more. */
  isComplete: boolean;
}

/**
 * Reads what a site has. No part reads its entries, so the number of them does not matter.
 * @param container whose stores have the data
 * @param logger gets a line for each unavailable part
 */
export async function readTenantUse(
  container: AppContainer,
  { storageId: id, database, state }: TenantDetails,
  logger: Pick<Logger, 'warn'> = container.logger,
): Promise<TenantUse> {
  const none = {
    migrations: null,
    storage: null,
    entries: null,
    media: null,
    users: null,
    jobs: null,
    schedules: null,
  };
  // Its data is being deleted.
  if (state === 'purging') return none;
  const tenant = { id, database };
  const partOf = <Part>(name: string, read: () => Promise<Part>) => readPart(logger, name, read);
  const tablesOf = async (service: DataServiceName) => (await databasesOf(container, service)).tenant(tenant);
  const [migrations, storage, entries, media, users, jobs, schedules] = await Promise.all([
    partOf('migrations', () => readMigrations(container, tenant)),
    partOf('storage', () => readStorage(container, tenant)),
    partOf('entries', async () => countEntries(await tablesOf('content'))),
    partOf('media', async () => selectMediaUse(await tablesOf('media'))),
    partOf('users', async () => countUsers(await tablesOf('auth'))),
    partOf('jobs', () => readJobs(container, id)),
    partOf('schedules', () => readSchedules(container, id)),
  ]);
  return { migrations, storage, entries, media, users, jobs, schedules };
}

async function readMigrations(container: AppContainer, tenant: Tenant): Promise<TenantUse['migrations']> {
  const registry = await container.registryTables();
  const [status] = await migrationStatus(registry, [tenant], ownVersion(await ownedTables(container)));
  if (!status) return null;
  const { state, behind, error } = status;
  return { state, behind, error };
}

/** The sum of its schemas: one in each database that services have for it. */
async function readStorage(container: AppContainer, tenant: Tenant): Promise<TenantUse['storage']> {
  const reads = namesWith('hasData').map(async (service) => {
    const catalog = (await databasesOf(container, service)).inSchema('pg_catalog', tenant.database);
    const [row] = await catalog.query<{ place: string; relations: number; bytes: number }>(
      `SELECT concat_ws('/', pg_postmaster_start_time(), (SELECT oid FROM pg_database WHERE datname = current_database()))
           AS place, count(*) AS relations,
         coalesce(sum(pg_total_relation_size(c.oid)) FILTER (WHERE c.relkind IN ('r', 'm', 'S')), 0)::bigint AS bytes
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1`,
      [tenantSchema(tenant)],
    );
    return row;
  });
  const rows = (await Promise.all(reads)).filter((row) => row !== undefined);
  // Services may share a database.
  const places = [...new Map(rows.map((row) => [row.place, row])).values()];
  const sum = (name: 'bytes' | 'relations') => places.reduce((total, row) => total + row[name], 0);
  return { bytes: sum('bytes'), relations: sum('relations') };
}

async function readJobs(container: AppContainer, id: string): Promise<TenantJobs> {
  const siteJobs = await container.memoize('site-jobs', async () => {
    const isPaused = { of: () => new Set<string>() };
    return new SiteJobs(await container.queues(), isPaused);
  });
  const outboxes = await new QueueAdminService(container).outboxes();
  const names = new Set(declaredJobs.map(({ name }) => name));
  const [{ queues }, pending, rejected] = await Promise.all([
    siteJobs.of(id),
    outboxes.pendingByTenant(names),
    outboxes.listFailed(),
  ]);
  const own = <Row extends { tenant: string | null }>(rows: readonly Row[]) =>
    rows.filter(({ tenant }) => tenant === id);
  const sum = (state: 'waiting' | 'active' | 'delayed' | 'failed') =>
    queues.reduce((total, queue) => total + queue[state], 0);
  return {
    outbox: own(pending).reduce((total, { count }) => total + count, 0),
    waiting: sum('waiting'),
    active: sum('active'),
    delayed: sum('delayed'),
    failed: sum('failed') + own(rejected).length,
    isComplete: queues.every(({ isComplete }) => isComplete),
  };
}

async function readSchedules(container: AppContainer, tenant: string): Promise<TenantUse['schedules']> {
  const [backlog] = await new QueueAdminService(container).backlog({ work: 'schedules', tenant });
  if (!backlog) return null;
  return { planned: backlog.count - backlog.due, due: backlog.due, lateSeconds: backlog.oldestSeconds };
}
