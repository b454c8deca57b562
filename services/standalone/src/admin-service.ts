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
import { migrateRegistry, siteOrigin, type Tenant, type TenantRegistry } from '@quire/tenancy';
import type { AppContainer } from './app-container.js';
import { defaultJobs } from './for-each-site.js';
import { migrateAll, ownVersion, type Migrated } from './migration/migrate-all.js';
import { migrationStatus, type SiteMigration } from './migration/migration-status.js';
import { databasesOf, ownedTables } from './services.js';
import { publicAddressOf } from './targets/public-origin.js';
import { TenantMoveService } from './tenants/move/tenant-move-service.js';
import { TenantAdminService } from './tenants/tenant-admin-service.js';
import { TenantDeletionService } from './tenants/tenant-deletion-service.js';
import { findTenant, tenantOf } from './tenants-of.js';

export interface MigrationOptions {
  jobs?: number | undefined;
  tenant?: string | undefined;
  all?: boolean | undefined;
}

/** Administration of an installation, for the command line and the tests. */
export class AdminService {
  readonly tenants: TenantAdminService;
  readonly deletions: TenantDeletionService;
  readonly moves: TenantMoveService;
  private readonly audit = new AuditLog();

  constructor(private readonly container: AppContainer) {
    this.tenants = new TenantAdminService(container, (id) => this.createInitialSetupLink(id));
    this.deletions = new TenantDeletionService(container);
    this.moves = new TenantMoveService(container);
  }

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
      registry: await this.container.registryTables(),
      jobs,
      trustsRecords: !all,
    });
  }

  /** Whether the tables of each site have the migrations of this version. */
  async migrationStatus(): Promise<SiteMigration[]> {
    const tenants = await (await this.registry()).list();
    return migrationStatus(
      await this.container.registryTables(),
      tenants,
      ownVersion(await ownedTables(this.container)),
    );
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

  /** Like createSetupLink; undefined for an installation whose sites need no link for their setup. */
  async createInitialSetupLink(tenantId: string): Promise<string | undefined> {
    return this.isSetupByLink() ? this.createSetupLink(tenantId) : undefined;
  }

  /** Like createSetupLink; undefined for a site that does not exist, has users, or needs no link for its setup. */
  async createNeededSetupLink(tenantId: string): Promise<string | undefined> {
    const tenant = await findTenant(this.container, tenantId);
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

  private registry(): Promise<TenantRegistry> {
    return this.container.registry();
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
