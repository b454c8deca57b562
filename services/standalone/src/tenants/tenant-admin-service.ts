import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  findTenantDetails,
  renameTenant,
  selectTenantDetails,
  selectTenantPage,
  storageIdOf,
  type NewTenant,
  type SiteOptions,
  type Tenant,
  type TenantDetails,
  type TenantRegistry,
  type TenantState,
} from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { commandLineActor } from '../command-line-actor.js';
import { ownedTables } from '../services.js';
import { tenantOf } from '../tenants-of.js';
import { announceTenants } from './announce-tenants.js';
import { createTenant, ensureTenant } from './create-tenant.js';
import { logged } from './logged-change.js';
import { moveTenant, type MoveOptions, type MoveReceipt } from './move/index.js';
import {
  changeSiteOptions,
  changeSiteOptionsWithin,
  mergePatch,
  type SiteOptionsChange,
  type SiteOptionsInput,
} from './site-options.js';

/** Time for requests of a moved site that have begun before: longer than the database runs a statement of one. */
const settleMs = 30_000;

/** A change of a site. */
export interface TenantUpdate extends SiteOptionsInput {
  hosts?: readonly string[] | undefined;
}

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
   * Creates a tenant with its tables. Its settings, limits and plan are validated ones (`checkSiteOptions`).
   * @returns the setup link for its first user; undefined if none is needed
   * @throws QuireError VALIDATION_ERROR, CONFLICT; see `createTenant` for a failure
   */
  async create(
    tenant: NewTenant,
    hosts: readonly string[],
    actor = commandLineActor(),
  ): Promise<string | undefined> {
    await createTenant(this.container, { tenant, hosts, actor });
    return this.createSetupLink(tenant.id);
  }

  /** Creates a tenant, or completes an earlier creation of the same one. @throws QuireError see `ensureTenant` */
  async ensure(
    tenant: NewTenant,
    hosts: readonly string[],
    actor = commandLineActor(),
  ): Promise<EnsuredTenant> {
    const isNew = await ensureTenant(this.container, { tenant, hosts, actor });
    return { isNew, setupLink: isNew ? await this.createSetupLink(tenant.id) : undefined };
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
    const detail = { hosts: hosts.join(' ') };
    const within = logged({ actor, action: 'tenant add-host', target: id, detail });
    await (await this.registry()).addHosts(await tenantOf(this.container, id), hosts, within);
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
    return selectTenantDetails(await this.container.registryTables());
  }

  /** A page of the sites in the order of their ids. @throws QuireError INVALID_CURSOR */
  async page(query: {
    state?: TenantState | undefined;
    cursor?: string | undefined;
    limit: number;
  }): Promise<{ items: TenantDetails[]; nextCursor?: string }> {
    return selectTenantPage(await this.container.registryTables(), query);
  }

  /** A site as operators see it. @throws QuireError NOT_FOUND */
  async get(id: string): Promise<TenantDetails> {
    const found = await findTenantDetails(await this.container.registryTables(), id);
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
    const storageId = await this.storageIdOf(id);
    if (!(await (await this.registry()).setSuspension(storageId, reason, within)))
      throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
    await this.announce();
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
    await this.announce();
    return options;
  }

  /**
   * Changes hosts, settings, limits and plan of a site at once: hosts replace the present ones, settings and limits are
   * JSON merge patches. An absent part remains as it is.
   * @throws QuireError NOT_FOUND, CONFLICT, VALIDATION_ERROR that names each invalid field; nothing is changed then
   */
  async update(id: string, update: TenantUpdate, actor: string): Promise<void> {
    const { hosts, settings, limits, plan } = update;
    const within = async (tx: Queryable) =>
      void (await changeSiteOptionsWithin(tx, this.container, id, {
        actor,
        action: 'tenant update',
        detail: hosts ? { hosts: hosts.join(' ') } : {},
        change: (present) => ({
          ...(settings !== undefined && { settings: mergePatch(present.settings, settings) }),
          ...(limits !== undefined && { limits: mergePatch(present.limits, limits) }),
          plan,
        }),
      }));
    if (hosts) await (await this.registry()).setHosts(await tenantOf(this.container, id), hosts, within);
    else await (await this.container.registryTables()).transaction(within);
    await this.announce();
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
      registry: await this.container.registryTables(),
      owned: await ownedTables(this.container),
      announce: () => this.announce(),
    };
    return moveTenant(deps, { settleMs, ...options, id: await this.storageIdOf(options.id) });
  }

  /**
   * Gives a site another id. Its tables, files, indexes, jobs and logs keep the id of its creation, so requests and
   * jobs go on; hosts, users and links remain. Operators still find the site by its former ids. Repeating it changes
   * nothing.
   * @returns the id that the site had
   * @throws QuireError NOT_FOUND; VALIDATION_ERROR (to); CONFLICT when another site has or had the new id
   */
  async rename(id: string, to: string, actor = commandLineActor()): Promise<string> {
    const registry = await this.container.registryTables();
    const { from } = await registry.transaction(async (tx) => {
      const rename = await renameTenant(tx, id, to);
      if (!rename) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
      if (rename.isNew)
        await logged({ actor, action: 'tenant rename', target: rename.from, detail: { to } })(tx);
      return rename;
    });
    await this.announce();
    return from;
  }

  private async storageIdOf(id: string): Promise<string> {
    return storageIdOf(await this.container.registryTables(), id);
  }

  private registry(): Promise<TenantRegistry> {
    return this.container.registry();
  }

  private announce(): Promise<void> {
    return announceTenants(this.container);
  }
}
