import { pendingMails } from '@quire/auth-service';
import { QuireError } from '@quire/errors';
import { OutboxAdministration, outboxMigration, QueueAdministration, type Outbox } from '@quire/jobs';
import {
  listOperatorActions,
  recordOperatorAction,
  registrySchema,
  type OperatorAction,
  type Tenant,
} from '@quire/tenancy';
import { namesWith } from '@quire/topology';
import { readBacklog, sumOfBacklogs, type Backlog, type CountedTable } from '@quire/work-queue';
import type { AppContainer } from './app-container.js';
import { databasesOf, ownedTables } from './services.js';
import { sharedWork, workName } from './work-tables.js';
import { tenantsOf } from './tenants-of.js';

/** Names of all work tables, those of sites included. */
export const workNames = [...Object.values(sharedWork).flat(), pendingMails].map(workName);

/** Operator commands on queues, outboxes and work tables. */
export class QueueAdminService {
  constructor(private readonly container: AppContainer) {}

  async queues(): Promise<QueueAdministration> {
    return new QueueAdministration(await this.container.queues(), await this.outboxes());
  }

  async outboxes(): Promise<OutboxAdministration> {
    const outboxes: Outbox[] = [];
    for (const { databases, tables } of await ownedTables(this.container)) {
      if (!tables.shared.includes(outboxMigration)) continue;
      for (const database of databases.keys)
        outboxes.push({ service: databases.service, database, sql: databases.shared(database) });
    }
    return new OutboxAdministration(outboxes);
  }

  /**
   * The pending work of each table, over all databases and sites or of one site.
   * @param filter.work name of a table
   * @throws QuireError NOT_FOUND (work, tenant)
   */
  async backlog({ work, tenant }: { work?: string | undefined; tenant?: string | undefined } = {}): Promise<
    (Backlog & { work: string })[]
  > {
    if (work !== undefined && !workNames.includes(work))
      throw new QuireError('NOT_FOUND', `There is no work ${work}: choose among ${workNames.join(', ')}`);
    const tenants = await tenantsOf(this.container, tenant);
    const backlogs = await this.sharedBacklog({ work, tenant });
    if (work === undefined || work === workName(pendingMails))
      backlogs.push({ work: workName(pendingMails), ...(await this.mails(tenants)) });
    return backlogs;
  }

  /** The pending work of the tables across sites. Its cost does not grow with the number of sites. */
  async sharedBacklog({
    work,
    tenant,
  }: { work?: string | undefined; tenant?: string | undefined } = {}): Promise<
    (Backlog & { work: string })[]
  > {
    const isWanted = (table: CountedTable) => work === undefined || workName(table) === work;
    const backlogs = [];
    for (const service of namesWith('hasData')) {
      const tables = (sharedWork[service] ?? []).filter(isWanted);
      if (tables.length === 0) continue;
      const databases = await databasesOf(this.container, service);
      for (const table of tables) {
        const parts = databases.keys.map((key) => readBacklog(databases.shared(key), table, { tenant }));
        backlogs.push({ work: workName(table), ...sumOfBacklogs(await Promise.all(parts)) });
      }
    }
    return backlogs;
  }

  /** Appends an action to the log of operators. */
  async record(action: OperatorAction): Promise<void> {
    await recordOperatorAction(await this.registry(), action);
  }

  /** The last actions of operators, the newest first. */
  async actions(limit: number): Promise<(OperatorAction & { at: string })[]> {
    return listOperatorActions(await this.registry(), limit);
  }

  /** Pending mails are in the schema of each site. */
  private async mails(tenants: readonly Tenant[]): Promise<Backlog> {
    const databases = await databasesOf(this.container, 'auth');
    const parts = [];
    for (const tenant of tenants) parts.push(await readBacklog(databases.tenant(tenant), pendingMails));
    return sumOfBacklogs(parts);
  }

  private async registry() {
    return (await this.container.registryDatabases()).inSchema(registrySchema);
  }
}
