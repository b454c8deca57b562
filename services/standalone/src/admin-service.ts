import {
  AuditLog,
  createToken,
  ensureUser,
  createMagicLink,
  createSetupLink,
  normaliseEmail,
} from '@quire/auth-service';
import { ConfigurationError } from '@quire/config';
import { selectPreviewGeneration, previewKey, rotatePreviewGeneration } from '@quire/content-service';
import { imageKey } from '@quire/media-service';
import { systemActor } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { deletePrefix } from '@quire/object-store';
import { isScope, roles, type RoleName } from '@quire/permissions';
import {
  migrateRegistry,
  recordOperatorAction,
  registrySchema,
  removeTenant,
  selectTenantDetails,
  siteOrigin,
  type Tenant,
  type TenantDetails,
  type TenantRegistry,
} from '@quire/tenancy';
import type { AppContainer } from './app-container.js';
import {
  defaultJobs,
  migrateAll,
  migrateTablesOf,
  ownVersion,
  type Migrated,
} from './migration/migrate-all.js';
import { migrationStatus, type SiteMigration } from './migration/migration-status.js';
import { databasesOf, ownedTables } from './services.js';
import { publicAddressOf } from './targets/public-origin.js';
import { tenantOf } from './tenants-of.js';

export interface MigrationOptions {
  jobs?: number | undefined;
  tenant?: string | undefined;
  all?: boolean | undefined;
}

/** Administration of an installation, for the command line and the tests. */
export class AdminService {
  private readonly audit = new AuditLog();

  constructor(private readonly container: AppContainer) {}

  /**
   * Applies pending migrations. The first run creates the tenant `default`.
   * @param options.jobs number of sites that are migrated at the same time
   * @param options.tenant the only site whose tables are migrated (default: all)
   * @param options.all whether to look at the tables of sites that are current by the records
   * @throws QuireError SERVICE_UNAVAILABLE when a default database is unavailable, NOT_FOUND (tenant);
   *   ConfigurationError when the tables are those of a newer version that breaks this one
   */
  async migrate({ jobs = defaultJobs, tenant, all = false }: MigrationOptions = {}): Promise<Migrated> {
    await migrateRegistry(await this.container.registryDatabases());
    const registry = await this.registry();
    await registry.ensureDefault();
    const tenants = tenant === undefined ? await registry.list() : [await tenantOf(this.container, tenant)];
    return migrateAll({
      owned: await ownedTables(this.container),
      tenants,
      registry: await this.registryTables(),
      jobs,
      trustsRecords: !all,
    });
  }

  /** Whether the tables of each site have the migrations of this version. */
  async migrationStatus(): Promise<SiteMigration[]> {
    const tenants = await (await this.registry()).list();
    return migrationStatus(
      await this.registryTables(),
      tenants,
      ownVersion(await ownedTables(this.container)),
    );
  }

  /**
   * Creates a tenant with its tables.
   * @returns the setup link for its first user; undefined if none is needed
   * @throws QuireError VALIDATION_ERROR, CONFLICT.
   */
  async createTenant(tenant: Tenant, hosts: readonly string[]): Promise<string | undefined> {
    const registry = await this.registry();
    const owned = await ownedTables(this.container);
    await registry.add(tenant, hosts);
    try {
      await migrateTablesOf(tenant, owned, await this.registryTables());
    } catch (error) {
      await registry.remove(tenant.id);
      throw error;
    }
    await this.invalidateTenants();
    return this.isSetupByLink() ? this.createSetupLink(tenant.id) : undefined;
  }

  /** Adds hosts to a tenant. @throws QuireError NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
  async addHosts(id: string, hosts: readonly string[]): Promise<void> {
    await (await this.registry()).addHosts(await tenantOf(this.container, id), hosts);
    await this.invalidateTenants();
  }

  /** Removes a host from a tenant. @throws QuireError NOT_FOUND. */
  async removeHost(id: string, host: string): Promise<void> {
    const { id: tenantId } = await tenantOf(this.container, id);
    if (!(await (await this.registry()).removeHost(tenantId, host)))
      throw new QuireError('NOT_FOUND', `The tenant ${id} does not have the host ${host}`);
    await this.invalidateTenants();
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

  async listTenants(): Promise<Tenant[]> {
    return (await this.registry()).list();
  }

  /** All sites as operators see them. */
  async tenantDetails(): Promise<TenantDetails[]> {
    return selectTenantDetails(await this.registryTables());
  }

  /**
   * Suspends a site: its hosts respond with SITE_SUSPENDED, and its jobs and schedules wait. With null it is resumed.
   * @throws QuireError NOT_FOUND
   */
  async setSuspension(id: string, reason: string | null, actor: string): Promise<void> {
    if (!(await (await this.registry()).setSuspension(id, reason)))
      throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
    await this.invalidateTenants();
    await recordOperatorAction(await this.registryTables(), {
      actor,
      action: reason === null ? 'tenant resume' : 'tenant suspend',
      target: id,
      detail: reason === null ? {} : { reason },
      count: 1,
    });
  }

  /**
   * Deletes a tenant and all its data: its hosts first, so that no request reaches a partly deleted tenant, and its row
   * in the registry last, so that an interrupted deletion can be repeated.
   * @throws QuireError NOT_FOUND.
   */
  async deleteTenant(id: string): Promise<void> {
    const registry = await this.registry();
    const tenant = await tenantOf(this.container, id);
    await registry.removeHosts(id);
    await this.invalidateTenants();
    await this.dropIndexes(tenant);
    for (const { databases, tables } of await ownedTables(this.container))
      await removeTenant(databases, tables, tenant);
    await this.deleteObjects(id);
    await registry.remove(id);
    await this.invalidateTenants();
  }

  /**
   * Creates a personal access token of a user. If no user has the address, the user is created with the role.
   * @returns the secret text of the token
   * @throws QuireError NOT_FOUND (tenant), VALIDATION_ERROR (role, address, scope).
   */
  async createToken(options: {
    role: string;
    email?: string | undefined;
    scopes: readonly string[];
    name?: string | undefined;
    tenant: string;
    /** Absent for a token that does not expire. */
    expiresAt?: Date;
  }): Promise<string> {
    const roleName = options.role.toUpperCase() as RoleName;
    const role = roles[roleName];
    if (role === undefined) {
      throw new QuireError(
        'VALIDATION_ERROR',
        `--role must be one of ${Object.keys(roles).join(', ').toLowerCase()}`,
      );
    }
    const unknown = options.scopes.find((scope) => !isScope(scope));
    if (unknown !== undefined)
      throw new QuireError('VALIDATION_ERROR', `--scope: there is no scope ${unknown}`);
    const tenant = await tenantOf(this.container, options.tenant);
    const databases = await databasesOf(this.container, 'auth');
    return databases.tenant(tenant).transaction(async (tx) => {
      const email = options.email ?? ownAddress(roleName);
      const user = await ensureUser(tx, { email, role });
      const scopes = options.scopes.length > 0 ? [...options.scopes] : ['admin'];
      const name = options.name ?? 'Command line';
      const { expiresAt } = options;
      const { text, token } = await createToken(tx, { userId: user.id, name, scopes, expiresAt });
      await this.audit.record(tx, {
        by: { principal: systemActor(tenant, 'system:command-line'), clientAddress: null, requestId: null },
        action: 'token.created',
        target: { type: 'token', id: token.id },
        userId: user.id,
        details: { scopes, expiresAt: expiresAt?.toISOString() ?? null },
      });
      return text;
    });
  }

  /**
   * Creates a link that signs a user in once, for users without mail and passkey.
   * @returns the link
   * @throws QuireError NOT_FOUND (tenant, user), VALIDATION_ERROR (address); ConfigurationError behind an edge access
   *   proxy.
   */
  async createLoginLink(options: { email?: string | undefined; tenant: string }): Promise<string> {
    if (this.container.site.auth)
      throw new ConfigurationError('Users sign in through the edge access proxy: there are no links');
    const tenant = await tenantOf(this.container, options.tenant);
    const email = normaliseEmail(options.email ?? ownAddress('admin'));
    const origin = await this.originOf(tenant);
    const databases = await databasesOf(this.container, 'auth');
    return databases.tenant(tenant).transaction(async (tx) => {
      const made = await createMagicLink(tx, { email, origin });
      if (!made) throw new QuireError('NOT_FOUND', `There is no user ${email} who may sign in`);
      await this.audit.record(tx, {
        by: { principal: systemActor(tenant, 'system:command-line'), clientAddress: null, requestId: null },
        action: 'user.recovery-sent',
        target: { type: 'user', id: made.userId },
      });
      return made.link;
    });
  }

  /**
   * Creates the setup link for the first user of a site. Earlier links become invalid.
   * @throws QuireError NOT_FOUND (tenant), SETUP_COMPLETE (there are users); ConfigurationError behind an edge access
   *   proxy.
   */
  async createSetupLink(tenantId: string): Promise<string> {
    if (this.container.site.auth)
      throw new ConfigurationError(
        'Users sign in through the edge access proxy: the first user becomes the administrator, without a link',
      );
    const tenant = await tenantOf(this.container, tenantId);
    const origin = await this.originOf(tenant);
    const databases = await databasesOf(this.container, 'auth');
    return databases.tenant(tenant).transaction((tx) => createSetupLink(tx, origin));
  }

  /** Like createSetupLink; undefined for a site that does not exist, has users, or needs no link for its setup. */
  async createNeededSetupLink(tenantId: string): Promise<string | undefined> {
    const tenant = await (await this.registry()).byId(tenantId);
    if (!tenant || !this.isSetupByLink() || isOwnMachine(await this.originOf(tenant))) return undefined;
    return this.createSetupLink(tenantId).catch((error: unknown) => {
      if (error instanceof QuireError && error.code === 'SETUP_COMPLETE') return undefined;
      throw error;
    });
  }

  /**
   * Returns the key with which the front end of a site verifies preview links.
   * @param options.rotates whether to replace the key, which invalidates all earlier links
   * @throws QuireError NOT_FOUND (tenant); ConfigurationError when the installation has no persistent secret.
   */
  async previewKey(tenantId: string, { rotates = false } = {}): Promise<string> {
    const { CMS_INTERNAL_SECRET, CMS_PREVIEW_SECRET } = this.container.environment;
    const secret = CMS_PREVIEW_SECRET ?? CMS_INTERNAL_SECRET?.[0];
    if (secret === undefined)
      throw new ConfigurationError(
        'CMS_INTERNAL_SECRET is not set: preview links are good until the next start',
      );
    const tenant = await tenantOf(this.container, tenantId);
    const sql = (await databasesOf(this.container, 'content')).tenant(tenant);
    if (rotates) await rotatePreviewGeneration(sql);
    return previewKey(secret, {
      tenantId: tenant.id,
      generation: await selectPreviewGeneration(sql),
    });
  }

  /**
   * Returns the key with which the front end of a site signs addresses of image variants.
   * @throws ConfigurationError when the installation has no persistent secret.
   */
  async imageKey(tenantId: string): Promise<string> {
    const { CMS_INTERNAL_SECRET } = this.container.environment;
    if (CMS_INTERNAL_SECRET === undefined)
      throw new ConfigurationError(
        'CMS_INTERNAL_SECRET is not set: signed addresses are good until the next start',
      );
    return imageKey(CMS_INTERNAL_SECRET[0], (await tenantOf(this.container, tenantId)).id);
  }

  /** Returns the public origin of a site: its own host if it has one, else the address of the installation. */
  private async originOf(tenant: Tenant): Promise<string> {
    const address = publicAddressOf(this.container.environment);
    const [host] = await (await this.registry()).hostsOf(tenant.id);
    if (host === undefined) return address.origin;
    // There is no request whose port could be used, so the port of the guessed address is.
    return siteOrigin(host, host, { ...address, isGiven: true });
  }

  private isSetupByLink(): boolean {
    const { environment, site } = this.container;
    return !site.auth && environment.CMS_SETUP !== 'open';
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

  private async invalidateTenants(): Promise<void> {
    (await this.container.relay()).invalidate('tenants');
  }
}

/** E-mail address of the command line's default user of a role. */
function ownAddress(role: string): string {
  return `${role.toLowerCase()}@localhost.localdomain`;
}

/** Whether only browsers on this machine reach an origin. */
function isOwnMachine(origin: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}
