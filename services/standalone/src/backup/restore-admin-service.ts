import { ConfigurationError, meilisearchSettings } from '@quire/config';
import { QuireError } from '@quire/errors';
import {
  checkRegistration,
  dropFormerSite,
  hasTables,
  recordOperatorAction,
  recordSiteVersion,
  type ReadOnlyReason,
  type Repairs,
  type Tenant,
} from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { ownVersion } from '../migration/migrate-all.js';
import { databasesOf, ownedTables } from '../services.js';
import { checkSiteOptions } from '../tenants/site-options.js';
import { findTenant } from '../tenants-of.js';
import { auditHeadsOf } from '../targets/auth-worker.js';
import { ArchiveReader } from './archive/archive-reader.js';
import { manifestName, siteIdOf, type BackupManifest } from './backup-manifest.js';
import { assertKnownMigrations, assertSameDatabases, parseManifest } from './check-manifest.js';
import { checkObjects, type ObjectCheck } from './objects/check-objects.js';
import { restoreSite } from './restore-site.js';
import { siteDatabasesOf, type SiteDatabase } from './site-databases.js';
import { restoreAuditHeads } from './site-facts.js';
import { verifyBackup } from './verify-backup.js';

export interface RestoreOptions {
  path: string;
  /** Id of the site that the backup must be of. */
  tenant?: string | undefined;
  /** Id of the restored site (default: that of the backup, the new one of a renamed site). */
  as?: string | undefined;
  /** Host names (default: those of the backup for a new site with its id, else none). */
  hosts?: readonly string[] | undefined;
  /** Key of the database of a new site (default: that of the backup if it is configured here). */
  database?: string | undefined;
  /** Whether an existing site, or the tables that are left of one, may be replaced. */
  replaces: boolean;
}

/** A restoration whose conditions are met. */
export interface RestorePlan {
  manifest: BackupManifest;
  /** The id that operators use; that of `tenant` is the storage id. */
  id: string;
  tenant: Tenant;
  hosts: readonly string[];
  databases: readonly SiteDatabase[];
  /** Whether the site is registered here. */
  isRegistered: boolean;
}

export interface RestoreResult {
  /** Media objects that were written. */
  written: number;
  repairs: Repairs;
  objects: ObjectCheck;
}

/** What processes know of a site. */
const cachedTopics = ['schema', 'credentials', 'settings', 'users', 'media', 'write-fence'] as const;

/** Restores backups of sites. */
export class RestoreAdminService {
  constructor(private readonly container: AppContainer) {}

  /**
   * Reads a backup to its end and checks what its restoration needs. Changes nothing.
   * @throws ConfigurationError for an unusable backup, one of a newer version, another arrangement of databases, and a
   *   site that would be replaced without permission; QuireError VALIDATION_ERROR (hosts; settings and limits that this
   *   installation does not accept for a new site), CONFLICT (hosts)
   */
  async plan({
    path,
    tenant: expected,
    as,
    hosts,
    database,
    replaces,
  }: RestoreOptions): Promise<RestorePlan> {
    const { manifest } = await verifyBackup(path);
    const name = siteIdOf(manifest);
    if (expected !== undefined && expected !== manifest.tenant.id && expected !== name)
      throw new ConfigurationError(`${path} is a backup of the tenant ${name}, not of ${expected}`);
    const owned = await ownedTables(this.container);
    assertKnownMigrations(manifest, owned);
    const id = as ?? name;
    const registered = await findTenant(this.container, id);
    const keys = owned[0]?.databases.keys ?? [];
    const key = database ?? (keys.includes(manifest.tenant.database) ? manifest.tenant.database : null);
    if (registered && database !== undefined && registered.database !== database)
      throw new ConfigurationError(`The tenant ${id} is in another database than ${database}: move it first`);
    if (!registered && !keys.includes(key))
      throw new ConfigurationError(`DATABASE_URL_${key} is not set: there is no such database`);
    const tenant = registered ?? { id, database: key };
    const names = hosts ?? (registered || as !== undefined ? [] : manifest.tenant.hosts);
    checkRegistration(tenant, names);
    await this.assertFree(tenant, names);
    if (!registered) checkSiteOptions(this.container, manifest.tenant);
    const databases = await siteDatabasesOf(owned, tenant);
    assertSameDatabases(manifest, databases);
    const plan = { manifest, id, tenant, hosts: names, databases, isRegistered: registered !== undefined };
    if (!replaces) await assertNothingReplaced(plan);
    return plan;
  }

  /**
   * Restores a site. It appears whole, or remains as it was. Its media objects are written first, and what derives from
   * its tables is made again by the workers.
   * @throws ConfigurationError when the backup is not that of the plan any more; the errors of the stores
   */
  async restore(plan: RestorePlan, { path, actor }: { path: string; actor: string }): Promise<RestoreResult> {
    const { id, tenant, databases, manifest } = plan;
    const store = await this.container.objectStore();
    const archive = new ArchiveReader(path);
    try {
      const read = parseManifest(await archive.nextJson(manifestName), path);
      if (read.createdAt !== manifest.createdAt)
        throw new ConfigurationError(`${path} was replaced while it was read: repeat the command`);
      const { objects: written, repairs } = await restoreSite(archive, read, { tenant, databases, store });
      await this.register(plan);
      for (const place of databases) await dropFormerSite(place.databases, tenant);
      if (meilisearchSettings(this.container.environment)) await this.dropIndexes(tenant);
      await this.invalidate(tenant);
      const objects = await checkObjects(tenant, {
        databases,
        store,
        deletesLost: true,
        deletesOrphans: false,
      });
      await recordOperatorAction(await this.container.registryTables(), {
        actor,
        action: 'restore',
        target: id,
        detail: { file: path, backup: manifest.createdAt, of: manifest.tenant.id },
        count: 1,
      });
      return { written, repairs, objects };
    } finally {
      await archive.close();
    }
  }

  /** Brings the registry in line with the restored tables. */
  private async register({ tenant, hosts, manifest, isRegistered }: RestorePlan): Promise<void> {
    const registry = await this.container.registry();
    const { readOnlyReason, suspensionReason } = manifest.tenant;
    if (isRegistered) await registry.addHosts(tenant, hosts);
    else {
      await registry.add({ ...tenant, ...checkSiteOptions(this.container, manifest.tenant) }, hosts);
      await registry.setSuspension(tenant.id, suspensionReason);
    }
    await registry.setReadOnlyReason(tenant.id, readOnlyReason as ReadOnlyReason | null);
    await restoreAuditHeads(await auditHeadsOf(this.container), tenant.id, manifest.audit);
    const own = ownVersion(await ownedTables(this.container));
    await recordSiteVersion(await this.container.registryTables(), tenant.id, own);
  }

  /** @throws QuireError CONFLICT when another site has one of the hosts */
  private async assertFree(tenant: Tenant, hosts: readonly string[]): Promise<void> {
    const taken = await (
      await this.container.registryTables()
    ).query<{ host: string }>('SELECT host FROM tenant_hosts WHERE host = ANY($1) AND tenant_id <> $2', [
      hosts.map((host) => host.toLowerCase()),
      tenant.id,
    ]);
    if (taken[0])
      throw new QuireError('CONFLICT', `Another tenant has the host ${taken[0].host}: name others by --host`);
  }

  /** Deletes the indexes of another state of the site in a search engine with its own store: they are built again. */
  private async dropIndexes(tenant: Tenant): Promise<void> {
    const engine = await this.container.searchEngine();
    const databases = await databasesOf(this.container, 'search');
    await engine.of({ tenantId: tenant.id, db: databases.tenant(tenant) }).dropAll();
  }

  private async invalidate(tenant: Tenant): Promise<void> {
    const relay = await this.container.relay();
    relay.invalidate('tenants');
    for (const topic of cachedTopics) relay.invalidate(topic, tenant.id);
  }
}

/** @throws ConfigurationError for a site that exists, and for tables that are left of one */
export async function assertNothingReplaced({
  id,
  tenant,
  isRegistered,
  databases,
}: Omit<RestorePlan, 'manifest' | 'hosts'>): Promise<void> {
  if (isRegistered)
    throw new ConfigurationError(
      `The tenant ${id} exists: --yes replaces all its data, --as restores beside it`,
    );
  for (const place of databases)
    if (await hasTables(place.databases, tenant))
      throw new ConfigurationError(`There are tables of a site ${tenant.id}: --yes replaces them`);
}
