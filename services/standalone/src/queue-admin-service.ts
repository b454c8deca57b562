import { QuireError } from '@quire/errors';
import { OutboxAdministration, outboxMigration, QueueAdministration, type Outbox } from '@quire/jobs';
import {
  listOperatorActions,
  recordOperatorAction,
  selectOperatorActionPage,
  storageIdOf,
  type OperatorAction,
} from '@quire/tenancy';
import { namesWith } from '@quire/topology';
import { readBacklog, sumOfBacklogs, workName, type Backlog, type CountedTable } from '@quire/work-queue';
import type { AppContainer } from './app-container.js';
import { databasesOf, ownedTables, workOf } from './services.js';
import { tenantOf } from './tenants-of.js';

/** Names of all work tables. */
export const workNames = namesWith('hasData').flatMap(workOf).map(workName);

/** Operator commands on queues, outboxes and work tables. */
export class QueueAdminService {
  constructor(private readonly container: AppContainer) {}

  async queues(): Promise<QueueAdministration> {
    const registry = await this.registry();
    return new QueueAdministration(await this.container.queues(), await this.outboxes(), registry);
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
   * The pending work of each table, over all databases, of all sites or of one.
   * @param filter.work name of a table
   * @throws QuireError NOT_FOUND (work, tenant)
   */
  async backlog({ work, tenant }: { work?: string | undefined; tenant?: string | undefined } = {}): Promise<
    (Backlog & { work: string })[]
  > {
    if (work !== undefined && !workNames.includes(work))
      throw new QuireError('NOT_FOUND', `There is no work ${work}: choose among ${workNames.join(', ')}`);
    const isWanted = (table: CountedTable) => work === undefined || workName(table) === work;
    const tenantId = tenant === undefined ? undefined : (await tenantOf(this.container, tenant)).id;
    const backlogs = [];
    for (const service of namesWith('hasData')) {
      const tables = workOf(service).filter(isWanted);
      if (tables.length === 0) continue;
      const databases = await databasesOf(this.container, service);
      for (const table of tables) {
        const parts = databases.keys.map((key) =>
          readBacklog(databases.shared(key), table, { tenant: tenantId }),
        );
        backlogs.push({ work: workName(table), ...sumOfBacklogs(await Promise.all(parts)) });
      }
    }
    return backlogs;
  }

  /** A filter of jobs with the storage id of its site, which jobs have, in place of an id that operators use. */
  async resolveSite<Filter extends { tenant?: string | undefined }>(filter: Filter): Promise<Filter> {
    const { tenant } = filter;
    return tenant === undefined
      ? filter
      : { ...filter, tenant: await storageIdOf(await this.registry(), tenant) };
  }

  /** Appends an action to the log of operators. */
  async record(action: OperatorAction): Promise<void> {
    await recordOperatorAction(await this.registry(), action);
  }

  /** The last actions of operators, the newest first. */
  async actions(limit: number): Promise<(OperatorAction & { at: string })[]> {
    return listOperatorActions(await this.registry(), limit);
  }

  /** A page of the actions of operators, the newest first. @throws QuireError INVALID_CURSOR */
  async actionPage(
    query: Parameters<typeof selectOperatorActionPage>[1],
  ): ReturnType<typeof selectOperatorActionPage> {
    return selectOperatorActionPage(await this.registry(), query);
  }

  private async registry() {
    return await this.container.registryTables();
  }
}
