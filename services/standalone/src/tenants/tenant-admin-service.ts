import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { deletePrefix } from '@quire/object-store';
import {
  recordOperatorAction,
  registrySchema,
  removeTenant,
  selectTenantDetails,
  type NewTenant,
  type SiteOptions,
  type Tenant,
  type TenantDetails,
  type TenantRegistry,
} from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { migrateTablesOf } from '../migration/migrate-all.js';
import { databasesOf, ownedTables } from '../services.js';
import { tenantOf } from '../tenants-of.js';
import { changeSiteOptions, mergePatch, type SiteOptionsChange } from './site-options.js';
import { moveTenant, type MoveOptions, type MoveReceipt } from './move/index.js';

/** Time for requests of a moved site that have begun before: longer than the database runs a statement of one. */
const settleMs = 30_000;

/** Administration of the sites of an installation. */
export class TenantAdminService {
  /** @param createSetupLink creates the link for the first user of a site; undefined if none is needed */
  constructor(
    private readonly container: AppContainer,
    private readonly createSetupLink: (tenantId: string) => Promise<string | undefined>,
  ) {}

  /**
   * Creates a tenant with its tables. Its settings, limits and plan are validated ones (`checkSiteOptions`).
   * @returns the setup link for its first user; undefined if none is needed
   * @throws QuireError VALIDATION_ERROR, CONFLICT.
   */
  async create(tenant: NewTenant, hosts: readonly string[]): Promise<string | undefined> {
    const registry = await this.registry();
    const owned = await ownedTables(this.container);
    await registry.add(tenant, hosts);
    try {
      await migrateTablesOf(tenant, owned, await this.registryTables());
    } catch (error) {
      await registry.remove(tenant.id);
      throw error;
    }
    await this.invalidate();
    return this.createSetupLink(tenant.id);
  }

  /** Adds hosts to a tenant. @throws QuireError NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
  async addHosts(id: string, hosts: readonly string[]): Promise<void> {
    await (await this.registry()).addHosts(await tenantOf(this.container, id), hosts);
    await this.invalidate();
  }

  /** Removes a host from a tenant. @throws QuireError NOT_FOUND. */
  async removeHost(id: string, host: string): Promise<void> {
    const { id: tenantId } = await tenantOf(this.container, id);
    if (!(await (await this.registry()).removeHost(tenantId, host)))
      throw new QuireError('NOT_FOUND', `The tenant ${id} does not have the host ${host}`);
    await this.invalidate();
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

  async list(): Promise<Tenant[]> {
    return (await this.registry()).list();
  }

  /** All sites as operators see them. */
  async details(): Promise<TenantDetails[]> {
    return selectTenantDetails(await this.registryTables());
  }

  /**
   * Suspends a site: its hosts respond with SITE_SUSPENDED, and its jobs and schedules wait. With null it is resumed.
   * @throws QuireError NOT_FOUND
   */
  async setSuspension(id: string, reason: string | null, actor: string): Promise<void> {
    if (!(await (await this.registry()).setSuspension(id, reason)))
      throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
    await this.invalidate();
    await recordOperatorAction(await this.registryTables(), {
      actor,
      action: reason === null ? 'tenant resume' : 'tenant suspend',
      target: id,
      detail: reason === null ? {} : { reason },
      count: 1,
    });
  }

  /**
   * Replaces the settings of a site. Processes apply them within a second; one that misses the message, in a minute.
   * @throws QuireError NOT_FOUND, VALIDATION_ERROR that names each invalid field
   */
  setSettings(id: string, settings: unknown, actor: string): Promise<SiteOptions> {
    return this.changeOptions(id, { actor, action: 'tenant configure', change: () => ({ settings }) });
  }

  /**
   * Changes settings of a site by JSON merge patches: null restores a setting of the installation.
   * @throws QuireError NOT_FOUND, VALIDATION_ERROR that names each invalid field
   */
  changeSettings(id: string, patches: readonly unknown[], actor: string): Promise<SiteOptions> {
    return this.changeOptions(id, {
      actor,
      action: 'tenant configure',
      change: ({ settings }) => ({ settings: patches.reduce(mergePatch, settings) }),
    });
  }

  /**
   * Changes limits of a site by a JSON merge patch: null removes a limit. Stored entries and files remain.
   * @param options.plan name of the plan, for operators: null removes it, undefined leaves it
   * @throws QuireError NOT_FOUND, VALIDATION_ERROR that names each invalid field
   */
  setLimits(
    id: string,
    { limits: patch = {}, plan }: { limits?: unknown; plan?: unknown },
    actor: string,
  ): Promise<SiteOptions> {
    return this.changeOptions(id, {
      actor,
      action: 'tenant limit',
      change: ({ limits }) => ({ limits: mergePatch(limits, patch), plan }),
    });
  }

  /**
   * Changes settings, limits and plan of a site at once, and records the change in the log of operators in the same
   * transaction.
   * @throws QuireError NOT_FOUND, VALIDATION_ERROR that names each invalid field; nothing is changed then
   */
  async changeOptions(id: string, change: SiteOptionsChange): Promise<SiteOptions> {
    const options = await changeSiteOptions(this.container, id, change);
    (await this.registry()).drop();
    await this.invalidate();
    return options;
  }

  /**
   * Moves a site to another database (move/move-tenant.ts).
   * @returns undefined when the site was there already
   * @throws QuireError NOT_FOUND, CONFLICT; ConfigurationError
   */
  async move(
    options: Omit<MoveOptions, 'settleMs'> & Partial<Pick<MoveOptions, 'settleMs'>>,
  ): Promise<MoveReceipt | undefined> {
    const deps = {
      registry: (await this.container.registryDatabases()).inSchema(registrySchema),
      owned: await ownedTables(this.container),
      announce: () => this.invalidate(),
    };
    return moveTenant(deps, { settleMs, ...options });
  }

  /**
   * Deletes a tenant and all its data: its hosts first, so that no request reaches a partly deleted tenant, and its row
   * in the registry last, so that an interrupted deletion can be repeated.
   * @throws QuireError NOT_FOUND.
   */
  async delete(id: string): Promise<void> {
    const registry = await this.registry();
    const tenant = await tenantOf(this.container, id);
    await registry.removeHosts(id);
    await this.invalidate();
    await this.dropIndexes(tenant);
    for (const { databases, tables } of await ownedTables(this.container))
      await removeTenant(databases, tables, tenant);
    await this.deleteObjects(id);
    await registry.remove(id);
    await this.invalidate();
  }

  private async registryTables(): Promise<Queryable> {
    return (await this.container.registryDatabases()).inSchema(registrySchema);
  }

  private registry(): Promise<TenantRegistry> {
    return this.container.registry();
  }

  /** Deletes the objects of a tenant's media. */
  private async deleteObjects(id: string): Promise<void> {
    await deletePrefix(await this.container.objectStore(), `${id}/`);
  }

  /** Deletes the indexes of a tenant in a search engine with its own store. */
  private async dropIndexes(tenant: Tenant): Promise<void> {
    const engine = await this.container.searchEngine();
    const databases = await databasesOf(this.container, 'search');
    await engine.of({ tenantId: tenant.id, db: databases.tenant(tenant) }).dropAll();
  }

  private async invalidate(): Promise<void> {
    (await this.container.relay()).invalidate('tenants');
  }
}
