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
import { QuireError } from '@quire/errors';
import { isScope, roles, type RoleName } from '@quire/permissions';
import {
  migrateRegistry,
  migrateShared,
  migrateTenant,
  removeTenant,
  siteOrigin,
  type Tenant,
  type TenantRegistry,
} from '@quire/tenancy';
import type { AppContainer } from './app-container.js';
import { databasesOf, ownedTables } from './services.js';
import { publicAddressOf } from './targets/public-origin.js';

/** Operator commands, as called by the command line and the tests. */
export class AdminService {
  private readonly audit = new AuditLog();

  constructor(private readonly container: AppContainer) {}

  /** Brings all tables of all tenants up to date; the first run makes the tenant `default`. */
  async migrate(): Promise<{ applied: number; tenants: number }> {
    await migrateRegistry(await this.container.registryDatabases());
    const registry = await this.registry();
    await registry.ensureDefault();
    const owned = await ownedTables(this.container);
    let applied = 0;
    for (const { databases, tables } of owned) applied += (await migrateShared(databases, tables)).length;
    const tenants = await registry.list();
    for (const tenant of tenants) applied += await this.migrateOne(owned, tenant);
    return { applied, tenants: tenants.length };
  }

  /**
   * Makes a tenant with its tables.
   * @returns the link with which its first user sets it up; undefined where none is needed.
   * @throws QuireError VALIDATION_ERROR, CONFLICT.
   */
  async createTenant(tenant: Tenant, hosts: readonly string[]): Promise<string | undefined> {
    const registry = await this.registry();
    const owned = await ownedTables(this.container);
    await registry.add(tenant, hosts);
    try {
      await this.migrateOne(owned, tenant);
    } catch (error) {
      await registry.remove(tenant.id);
      throw error;
    }
    await this.invalidateTenants();
    return this.isSetupByLink() ? this.createSetupLink(tenant.id) : undefined;
  }

  /** Has a tenant answer at more hosts. @throws QuireError NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
  async addHosts(id: string, hosts: readonly string[]): Promise<void> {
    await (await this.registry()).addHosts(await this.tenant(id), hosts);
    await this.invalidateTenants();
  }

  /** Has a tenant answer at a host no more. @throws QuireError NOT_FOUND. */
  async removeHost(id: string, host: string): Promise<void> {
    const { id: tenantId } = await this.tenant(id);
    if (!(await (await this.registry()).removeHost(tenantId, host)))
      throw new QuireError('NOT_FOUND', `The tenant ${id} does not have the host ${host}`);
    await this.invalidateTenants();
  }

  /**
   * Host names at which a tenant answers, those of the installation itself included, in order.
   * @throws QuireError NOT_FOUND.
   */
  async hostsOf(id: string): Promise<string[]> {
    const { id: tenantId } = await this.tenant(id);
    const registry = await this.registry();
    return [...(await registry.hostsOf(tenantId)), ...(await registry.installationHostsOf(tenantId))].sort();
  }

  async listTenants(): Promise<Tenant[]> {
    return (await this.registry()).list();
  }

  /**
   * Removes a tenant and all its data: first its hosts, so that no request meets half a tenant, and its line in the
   * registry last, so that a deletion that was interrupted can be said again.
   * @throws QuireError NOT_FOUND.
   */
  async deleteTenant(id: string): Promise<void> {
    const registry = await this.registry();
    const tenant = await this.tenant(id);
    await registry.removeHosts(id);
    await this.invalidateTenants();
    await this.dropIndexes(tenant);
    for (const { databases } of await ownedTables(this.container)) await removeTenant(databases, tenant);
    await this.deleteObjects(id);
    await registry.remove(id);
    await this.invalidateTenants();
  }

  /**
   * Makes a personal access token of a user, who is made with the role if no user has the address.
   * @returns the token's text.
   * @throws QuireError NOT_FOUND (tenant), VALIDATION_ERROR (role, address, scope).
   */
  async createToken(options: {
    role: string;
    email?: string | undefined;
    scopes: readonly string[];
    name?: string | undefined;
    tenant: string;
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
    const tenant = await this.tenant(options.tenant);
    const databases = await databasesOf(this.container, 'auth');
    return databases.tenant(tenant).transaction(async (tx) => {
      const email = options.email ?? ownAddress(roleName);
      const user = await ensureUser(tx, { email, role });
      const scopes = options.scopes.length > 0 ? [...options.scopes] : ['admin'];
      const name = options.name ?? 'Command line';
      const { text, token } = await createToken(tx, { userId: user.id, name, scopes });
      await this.audit.record(tx, {
        by: { principal: systemActor(tenant, 'system:command-line'), clientAddress: null, requestId: null },
        action: 'token.created',
        target: { type: 'token', id: token.id },
        userId: user.id,
        details: { scopes, expiresAt: null },
      });
      return text;
    });
  }

  /**
   * Makes a link that signs a user in once, for those whom no mail and no passkey lets in.
   * @returns the link.
   * @throws QuireError NOT_FOUND (tenant, user), VALIDATION_ERROR (address); ConfigurationError behind an edge access
   *   proxy.
   */
  async createLoginLink(options: { email?: string | undefined; tenant: string }): Promise<string> {
    if (this.container.site.auth)
      throw new ConfigurationError('People sign in with the edge access proxy here: there are no links');
    const tenant = await this.tenant(options.tenant);
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
   * Makes the link with which the first user sets a site up; an older one counts no longer.
   * @throws QuireError NOT_FOUND (tenant), SETUP_COMPLETE (there are users); ConfigurationError behind an edge access
   *   proxy.
   */
  async createSetupLink(tenantId: string): Promise<string> {
    if (this.container.site.auth)
      throw new ConfigurationError(
        'People sign in with the edge access proxy here: the first one is the administrator, without a link',
      );
    const tenant = await this.tenant(tenantId);
    const origin = await this.originOf(tenant);
    const databases = await databasesOf(this.container, 'auth');
    return databases.tenant(tenant).transaction((tx) => createSetupLink(tx, origin));
  }

  /** The same where a link is needed; undefined for a site that is not there, has users, or is set up without one. */
  async createNeededSetupLink(tenantId: string): Promise<string | undefined> {
    const tenant = await (await this.registry()).byId(tenantId);
    if (!tenant || !this.isSetupByLink() || isOwnMachine(await this.originOf(tenant))) return undefined;
    return this.createSetupLink(tenantId).catch((error: unknown) => {
      if (error instanceof QuireError && error.code === 'SETUP_COMPLETE') return undefined;
      throw error;
    });
  }

  /**
   * The key by which a site's front end checks preview links.
   * @param options.rotates whether it is to be a new one, which ends all links made before
   * @throws QuireError NOT_FOUND (tenant); ConfigurationError when the installation has no persistent secret.
   */
  async previewKey(tenantId: string, { rotates = false } = {}): Promise<string> {
    const { CMS_INTERNAL_SECRET } = this.container.environment;
    if (CMS_INTERNAL_SECRET === undefined)
      throw new ConfigurationError(
        'CMS_INTERNAL_SECRET is not set: preview links are good until the next start',
      );
    const tenant = await this.tenant(tenantId);
    const sql = (await databasesOf(this.container, 'content')).tenant(tenant);
    if (rotates) await rotatePreviewGeneration(sql);
    return previewKey(CMS_INTERNAL_SECRET, {
      tenantId: tenant.id,
      generation: await selectPreviewGeneration(sql),
    });
  }

  /**
   * The key by which a site's front end signs addresses of image variants.
   * @throws ConfigurationError when the installation has no persistent secret.
   */
  async imageKey(tenantId: string): Promise<string> {
    const { CMS_INTERNAL_SECRET } = this.container.environment;
    if (CMS_INTERNAL_SECRET === undefined)
      throw new ConfigurationError(
        'CMS_INTERNAL_SECRET is not set: signed addresses are good until the next start',
      );
    return imageKey(CMS_INTERNAL_SECRET, (await this.tenant(tenantId)).id);
  }

  /** Where browsers find a site: at its own host if it has one, else where the installation is reached. */
  private async originOf(tenant: Tenant): Promise<string> {
    const address = publicAddressOf(this.container.environment);
    const [host] = await (await this.registry()).hostsOf(tenant.id);
    if (host === undefined) return address.origin;
    // Nobody asks here: a guessed address is as good as it gets, so its port counts.
    return siteOrigin(host, host, { ...address, isGiven: true });
  }

  private isSetupByLink(): boolean {
    const { environment, site } = this.container;
    return !site.auth && environment.CMS_SETUP !== 'open';
  }

  private async tenant(id: string): Promise<Tenant> {
    const tenant = await (await this.registry()).byId(id);
    if (!tenant) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
    return tenant;
  }

  private registry(): Promise<TenantRegistry> {
    return this.container.registry();
  }

  private async migrateOne(owned: Awaited<ReturnType<typeof ownedTables>>, tenant: Tenant): Promise<number> {
    let applied = 0;
    for (const { databases, tables } of owned)
      applied += (await migrateTenant(databases, tables, tenant)).length;
    return applied;
  }

  /** Deletes the bytes of a tenant's media. */
  private async deleteObjects(id: string): Promise<void> {
    const store = await this.container.objectStore();
    for await (const { key } of store.list(`${id}/`)) await store.delete(key);
  }

  /** Deletes what a search engine with a store of its own keeps of a tenant. */
  private async dropIndexes(tenant: Tenant): Promise<void> {
    const engine = await this.container.searchEngine();
    const databases = await databasesOf(this.container, 'search');
    await engine.of({ tenantId: tenant.id, db: databases.tenant(tenant) }).dropAll();
  }

  private async invalidateTenants(): Promise<void> {
    (await this.container.relay()).invalidate('tenants');
  }
}

/** Address of the user whom the command line makes when none is named. */
function ownAddress(role: string): string {
  return `${role.toLowerCase()}@localhost.localdomain`;
}

/** Whether browsers on this machine alone reach an origin. */
function isOwnMachine(origin: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}
