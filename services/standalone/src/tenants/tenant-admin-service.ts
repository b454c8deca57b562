import type { TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  endPurge,
  findTenantDetails,
  recordOperatorAction,
  registrySchema,
  selectTenantDetails,
  selectTenantPage,
  type Tenant,
  type TenantDetails,
  type TenantRegistry,
  type TenantState,
  type WithinChange,
} from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { commandLineActor } from '../command-line-actor.js';
import { migrateTablesOf } from '../migration/migrate-all.js';
import { ownedTables } from '../services.js';
import { tenantOf } from '../tenants-of.js';
import { announceTenants } from './announce-tenants.js';
import { purgeTenant } from './purge-tenant.js';

const retryAfterSeconds = 5;

/** The result of `ensure`. */
export interface EnsuredTenant {
  /** False: an earlier call has created it. */
  isNew: boolean;
  /** Of a new one, for its first user; undefined if none is needed. */
  setupLink: string | undefined;
}

/**
 * Administration of the sites of an installation. Changes are in the log of operators, each in its transaction in the
 * registry; `actor` is the one of the log, the user of the command line unless given.
 */
export class TenantAdminService {
  /** @param createSetupLink creates the link for the first user of a site; undefined if none is needed */
  constructor(
    private readonly container: AppContainer,
    private readonly createSetupLink: (tenantId: string) => Promise<string | undefined>,
  ) {}

  /**
   * Creates a tenant with its tables. A creation that fails leaves nothing in the registry, and no tables in databases
   * that respond; those of others are completed when it is repeated.
   * @returns the setup link for its first user; undefined if none is needed
   * @throws QuireError VALIDATION_ERROR, CONFLICT.
   */
  async create(
    tenant: Tenant,
    hosts: readonly string[],
    actor = commandLineActor(),
  ): Promise<string | undefined> {
    const owned = await ownedTables(this.container);
    const { id, database } = tenant;
    const detail = { hosts: hosts.join(' '), ...(database === null ? {} : { database }) };
    await (
      await this.registry()
    ).add(tenant, hosts, logged({ actor, action: 'tenant create', target: id, detail }));
    try {
      await migrateTablesOf(tenant, owned, await this.registryTables());
    } catch (error) {
      await this.undoCreation(id, actor);
      throw error;
    }
    await this.announce();
    return this.createSetupLink(id);
  }

  /**
   * Creates a tenant, or completes the creation of the same one: a call may be repeated until it succeeds.
   * @throws QuireError VALIDATION_ERROR; CONFLICT when the tenant exists with another database, without one of the
   *   hosts, or deleted, and when another tenant has a host; SERVICE_UNAVAILABLE while it is being purged
   */
  async ensure(tenant: Tenant, hosts: readonly string[], actor = commandLineActor()): Promise<EnsuredTenant> {
    const known = await this.find(tenant.id);
    if (!known) {
      try {
        return { isNew: true, setupLink: await this.create(tenant, hosts, actor) };
      } catch (error) {
        // A concurrent call may have created it.
        if (!isConflict(error) || !(await this.find(tenant.id))) throw error;
      }
    }
    assertSame(known ?? (await this.get(tenant.id)), tenant, hosts);
    await migrateTablesOf(tenant, await ownedTables(this.container), await this.registryTables());
    // The concurrent call may have failed, and removed it.
    assertSame(await this.get(tenant.id), tenant, hosts);
    await this.announce();
    return { isNew: false, setupLink: undefined };
  }

  /**
   * A new setup link for the first user of a tenant, which replaces earlier ones; undefined if it has users or none is
   * needed.
   * @throws QuireError NOT_FOUND
   */
  async setupLink(id: string): Promise<string | undefined> {
    return this.createSetupLink(id).catch((error: unknown) => {
      if (error instanceof QuireError && error.code === 'SETUP_COMPLETE') return undefined;
      throw error;
    });
  }

  /** Adds hosts to a tenant. @throws QuireError NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
  async addHosts(id: string, hosts: readonly string[], actor = commandLineActor()): Promise<void> {
    const tenant = await tenantOf(this.container, id);
    const within = logged({
      actor,
      action: 'tenant add-host',
      target: id,
      detail: { hosts: hosts.join(' ') },
    });
    await (await this.registry()).addHosts(tenant, hosts, within);
    await this.announce();
  }

  /** Gives a tenant these hosts and no others. @throws QuireError NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
  async setHosts(id: string, hosts: readonly string[], actor = commandLineActor()): Promise<void> {
    const tenant = await tenantOf(this.container, id);
    const within = logged({
      actor,
      action: 'tenant set-hosts',
      target: id,
      detail: { hosts: hosts.join(' ') },
    });
    await (await this.registry()).setHosts(tenant, hosts, within);
    await this.announce();
  }

  /** Removes a host from a tenant. @throws QuireError NOT_FOUND. */
  async removeHost(id: string, host: string, actor = commandLineActor()): Promise<void> {
    const { id: tenantId } = await tenantOf(this.container, id);
    const within = logged({ actor, action: 'tenant remove-host', target: id, detail: { host } });
    if (!(await (await this.registry()).removeHost(tenantId, host, within)))
      throw new QuireError('NOT_FOUND', `The tenant ${id} does not have the host ${host}`);
    await this.announce();
  }

  /**
   * Returns the sorted host names of a tenant, including those of the installation that lead to it.
   * @throws QuireError NOT_FOUND.
   */
  async hostsOf(id: string): Promise<string[]> {
    const { id: tenantId } = await tenantOf(this.container, id);
    const registry = await this.registry();
    return [...(await registry.hostsOf(tenantId)), ...(await registry.installationHostsOf(tenantId))].sort();
  }

  /** All sites but those whose purge has begun. */
  async list(): Promise<Tenant[]> {
    return (await this.registry()).list();
  }

  /** All sites as operators see them. */
  async details(): Promise<TenantDetails[]> {
    return selectTenantDetails(await this.registryTables());
  }

  /** A page of the sites in the order of their ids. @throws QuireError INVALID_CURSOR */
  async page(query: {
    state?: TenantState | undefined;
    cursor?: string | undefined;
    limit: number;
  }): Promise<{ items: TenantDetails[]; nextCursor?: string }> {
    return selectTenantPage(await this.registryTables(), query);
  }

  /** A site as operators see it. @throws QuireError NOT_FOUND */
  async get(id: string): Promise<TenantDetails> {
    const found = await this.find(id);
    if (!found) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
    return found;
  }

  /**
   * Suspends a site: its hosts respond with SITE_SUSPENDED, and its jobs and schedules wait. With null it is resumed.
   * @throws QuireError NOT_FOUND
   */
  async setSuspension(id: string, reason: string | null, actor: string): Promise<void> {
    const within = logged({
      actor,
      action: reason === null ? 'tenant resume' : 'tenant suspend',
      target: id,
      detail: reason === null ? {} : { reason },
    });
    if (!(await (await this.registry()).setSuspension(id, reason, within)))
      throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
    await this.announce();
  }

  private async find(id: string): Promise<TenantDetails | undefined> {
    return findTenantDetails(await this.registryTables(), id);
  }

  /** Removes a site whose creation failed, unless another call has completed it. */
  private async undoCreation(id: string, actor: string): Promise<void> {
    const reason = 'the creation failed';
    try {
      await purgeTenant(this.container, { id, condition: 'unmade', actor, reason });
    } catch (error) {
      this.container.logger.warn({ err: error, tenant: id }, 'tables of a failed creation may be left');
      await (await this.registryTables()).transaction((tx) => endPurge(tx, id)).catch(() => undefined);
    }
    await this.announce();
  }

  private async registryTables(): Promise<TransactionalDatabase> {
    return (await this.container.registryDatabases()).inSchema(registrySchema);
  }

  private registry(): Promise<TenantRegistry> {
    return this.container.registry();
  }

  private announce(): Promise<void> {
    return announceTenants(this.container);
  }
}

/** Appends an action on one site to the log, in the transaction of the change. */
function logged(action: {
  actor: string;
  action: string;
  target: string;
  detail: Readonly<Record<string, string>>;
}): WithinChange {
  return (tx) => recordOperatorAction(tx, { ...action, count: 1 });
}

const isConflict = (error: unknown) => error instanceof QuireError && error.code === 'CONFLICT';

/** @throws QuireError see `ensure` */
function assertSame(known: TenantDetails, { id, database }: Tenant, hosts: readonly string[]): void {
  const conflict = (what: string) =>
    new QuireError('CONFLICT', `Not created: the tenant ${id} exists, ${what}`);
  if (known.state === 'purging')
    throw new QuireError('SERVICE_UNAVAILABLE', `The tenant ${id} is being deleted. Retry later.`, {
      retryAfterSeconds,
    });
  if (known.state === 'pending-deletion')
    throw conflict('deleted: restore it, or purge it before another one is created');
  if (known.database !== database) throw conflict(`in the database ${known.database ?? 'of DATABASE_URL'}`);
  const missing = hosts.find((host) => !known.hosts.includes(host.toLowerCase()));
  if (missing !== undefined) throw conflict(`without the host ${missing}`);
}
