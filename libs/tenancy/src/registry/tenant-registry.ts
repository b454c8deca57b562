import { hasSqlState, sqlState, type Queryable, type TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { ReadOnlyReason } from './read-only-reason.js';
import { defaultTenantId, isDatabaseKey, isHostName, isTenantId, type Tenant } from './tenant.js';

/** The registry's schema, in the default database. */
export const registrySchema = 'cms_registry';

interface Snapshot {
  byHost: ReadonlyMap<string, Tenant>;
  byId: ReadonlyMap<string, Tenant>;
  /** Of read-only sites, by the id of the tenant. */
  readOnlyReasons: ReadonlyMap<string, ReadOnlyReason>;
  loadedAt: number;
}

const maxSnapshotAgeMs = 60_000;
const missRetryMs = 20;
/**
 * Interval of look-ups of unregistered hosts while `default` has them: one may have been registered for another tenant.
 */
const fallbackRetryMs = 100;

/**
 * Maps host names to tenants, and tenants to databases. Every request needs it, so the process caches the whole (small)
 * registry for at most a minute and drops it on a relay message of a change.
 */
export class TenantRegistry {
  private snapshot: Snapshot | undefined;
  private loading: Promise<Snapshot> | undefined;

  private readonly installationHosts: ReadonlySet<string>;

  /**
   * @param installationHosts hosts of the installation itself: they belong to `default` unless another tenant has them
   */
  constructor(
    private readonly sql: TransactionalDatabase,
    installationHosts: readonly string[] = [],
  ) {
    this.installationHosts = new Set(installationHosts);
  }

  /**
   * The tenant of a request's Host header, with or without a port. An unregistered host belongs to the tenant `default`
   * if it is the installation's own, or while `default` is the only tenant; else undefined (decision 29).
   */
  async byHost(host: string): Promise<Tenant | undefined> {
    const snapshot = await this.current();
    const known = registeredTenant(snapshot, host) ?? this.tenantOfInstallationHost(snapshot, host);
    if (known) return known;
    const fallback = onlyTenant(snapshot);
    if (!this.isOlderThan(fallback ? fallbackRetryMs : missRetryMs)) return fallback;
    this.drop();
    const present = await this.current();
    return registeredTenant(present, host) ?? onlyTenant(present);
  }

  /** Whether a host name, with or without a port, is registered for a site. */
  async knowsHost(host: string): Promise<boolean> {
    return (await this.registeredHost(host)) !== undefined;
  }

  /** The registered host of a Host header: with its port, or without one for any port. */
  async registeredHost(host: string): Promise<string | undefined> {
    return registeredName((await this.current()).byHost, host);
  }

  /** Registered host names of a tenant. */
  async hostsOf(id: string): Promise<string[]> {
    const { byHost } = await this.current();
    return [...byHost].filter(([, tenant]) => tenant.id === id).map(([host]) => host);
  }

  /** The installation's own hosts that lead to a tenant without being registered for it: only `default` has any. */
  async installationHostsOf(id: string): Promise<string[]> {
    const snapshot = await this.current();
    return [...this.installationHosts].filter(
      (host) =>
        !registeredName(snapshot.byHost, host) && this.tenantOfInstallationHost(snapshot, host)?.id === id,
    );
  }

  async byId(id: string): Promise<Tenant | undefined> {
    return (await this.current()).byId.get(id);
  }

  /** The error code of rejected writes; undefined for a site that is writable or unknown. */
  async readOnlyReasonOf(tenantId: string): Promise<ReadOnlyReason | undefined> {
    return (await this.current()).readOnlyReasons.get(tenantId);
  }

  /**
   * Makes a site read-only for a reason, or writable. Repeating it changes nothing. This process applies it when the
   * call returns; the caller announces it to the others.
   * @param reason the error code of rejected writes; null for a writable site
   */
  async setReadOnlyReason(tenantId: string, reason: ReadOnlyReason | null): Promise<void> {
    await this.sql.query(
      'UPDATE tenants SET read_only_reason = $2 WHERE id = $1 AND read_only_reason IS DISTINCT FROM $2',
      [tenantId, reason],
    );
    this.drop();
  }

  async list(): Promise<Tenant[]> {
    return [...(await this.current()).byId.values()];
  }

  /**
   * Adds a tenant with its hosts; provisioning creates its tables.
   * @throws QuireError VALIDATION_ERROR for an invalid id, host or database key; CONFLICT for an existing id or host
   */
  async add(tenant: Tenant, hosts: readonly string[]): Promise<void> {
    const names = hosts.map((host) => host.toLowerCase());
    checkRegistration(tenant, names);
    try {
      await this.sql.transaction(async (tx) => {
        await tx.query('INSERT INTO tenants (id, database) VALUES ($1, $2)', [tenant.id, tenant.database]);
        await insertHosts(tx, tenant.id, names);
      });
    } catch (error) {
      if (hasSqlState(error, sqlState.uniqueViolation)) {
        const what =
          error.table === 'tenants' ? `the tenant ${tenant.id} exists` : 'another tenant has that host';
        throw new QuireError('CONFLICT', `Not created: ${what}`, { cause: error });
      }
      throw error;
    }
    this.drop();
  }

  /**
   * Adds hosts to a tenant; those that it has remain.
   * @throws QuireError VALIDATION_ERROR for an invalid host, CONFLICT when another tenant has one of them: none is
   *   added then
   */
  async addHosts(tenant: Tenant, hosts: readonly string[]): Promise<void> {
    const names = hosts.map((host) => host.toLowerCase());
    checkRegistration(tenant, names);
    await this.sql.transaction(async (tx) => {
      await insertHosts(tx, tenant.id, names, 'ON CONFLICT (host) DO NOTHING');
      const others = await tx.query<{ host: string }>(
        'SELECT host FROM tenant_hosts WHERE host = ANY($1) AND tenant_id <> $2',
        [names, tenant.id],
      );
      const [taken] = others;
      if (taken) throw new QuireError('CONFLICT', `Not added: another tenant has the host ${taken.host}`);
    });
    this.drop();
  }

  /** Removes one of a tenant's hosts. @returns false when the tenant does not have it */
  async removeHost(id: string, host: string): Promise<boolean> {
    const removed = await this.sql.query(
      'DELETE FROM tenant_hosts WHERE tenant_id = $1 AND host = $2 RETURNING host',
      [id, host.toLowerCase()],
    );
    this.drop();
    return removed.length > 0;
  }

  /**
   * Removes all hosts of a tenant, so that no request reaches it any more; the tenant itself remains until `remove`.
   */
  async removeHosts(id: string): Promise<void> {
    await this.sql.query('DELETE FROM tenant_hosts WHERE tenant_id = $1', [id]);
    this.drop();
  }

  /** Removes a tenant and its hosts. @returns false when there is no tenant of that id */
  async remove(id: string): Promise<boolean> {
    const removed = await this.sql.query('DELETE FROM tenants WHERE id = $1 RETURNING id', [id]);
    this.drop();
    return removed.length > 0;
  }

  /** Adds the tenant `default` if there is no tenant. */
  async ensureDefault(): Promise<void> {
    await this.sql.query(
      'INSERT INTO tenants (id) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM tenants) ON CONFLICT DO NOTHING',
      [defaultTenantId],
    );
    this.drop();
  }

  /** Drops the cached registry. */
  drop(): void {
    this.snapshot = undefined;
    this.loading = undefined;
  }

  private tenantOfInstallationHost({ byId }: Snapshot, host: string): Tenant | undefined {
    return registeredName(this.installationHosts, host) === undefined ? undefined : byId.get(defaultTenantId);
  }

  /** An unknown host may belong to a tenant that was just added; a flood of such hosts costs a read now and then. */
  private isOlderThan(milliseconds: number): boolean {
    return this.snapshot !== undefined && Date.now() - this.snapshot.loadedAt > milliseconds;
  }

  private async current(): Promise<Snapshot> {
    if (this.snapshot && Date.now() - this.snapshot.loadedAt < maxSnapshotAgeMs) return this.snapshot;
    const loading = (this.loading ??= this.load());
    try {
      const snapshot = await loading;
      // A drop during the load means that the result may be outdated: it serves this caller and is not cached.
      if (this.loading === loading) this.snapshot = snapshot;
      return snapshot;
    } finally {
      if (this.loading === loading) this.loading = undefined;
    }
  }

  private async load(): Promise<Snapshot> {
    const tenants = await this.sql.query<
      Tenant & { hosts: string[]; readOnlyReason: ReadOnlyReason | null }
    >(`
      SELECT id, database, read_only_reason AS "readOnlyReason", coalesce(hosts, '{}') AS hosts
      FROM tenants LEFT JOIN (
        SELECT tenant_id, array_agg(host) AS hosts FROM tenant_hosts GROUP BY tenant_id
      ) registered ON registered.tenant_id = tenants.id ORDER BY id`);
    const byHost = new Map<string, Tenant>();
    const byId = new Map<string, Tenant>();
    const readOnlyReasons = new Map<string, ReadOnlyReason>();
    for (const { id, database, readOnlyReason, hosts } of tenants) {
      const tenant = { id, database };
      byId.set(id, tenant);
      if (readOnlyReason !== null) readOnlyReasons.set(id, readOnlyReason);
      for (const host of hosts) byHost.set(host, tenant);
    }
    return { byHost, byId, readOnlyReasons, loadedAt: Date.now() };
  }
}

async function insertHosts(
  sql: Queryable,
  id: string,
  hosts: readonly string[],
  onConflict: '' | 'ON CONFLICT (host) DO NOTHING' = '',
): Promise<void> {
  await sql.query(`INSERT INTO tenant_hosts (host, tenant_id) SELECT unnest($1::text[]), $2 ${onConflict}`, [
    hosts,
    id,
  ]);
}

/** The tenant of unregistered hosts (decision 29). */
function onlyTenant({ byId }: Snapshot): Tenant | undefined {
  return byId.size === 1 ? byId.get(defaultTenantId) : undefined;
}

function registeredTenant(snapshot: Snapshot, host: string): Tenant | undefined {
  return snapshot.byHost.get(registeredName(snapshot.byHost, host) ?? '');
}

/** The known name of a Host header: with its port, or without one for any port. */
function registeredName(known: { has(name: string): boolean }, host: string): string | undefined {
  const name = host.toLowerCase();
  return [name, name.replace(/:\d+$/, '')].find((candidate) => known.has(candidate));
}

function checkRegistration(tenant: Tenant, hosts: readonly string[]): void {
  if (!isTenantId(tenant.id)) {
    throw new QuireError(
      'VALIDATION_ERROR',
      'The tenant id must be lower-case letters, digits and -, 1 to 40',
    );
  }
  if (tenant.database !== null && !isDatabaseKey(tenant.database)) {
    throw new QuireError('VALIDATION_ERROR', 'The database must be a key such as EU1 (of DATABASE_URL_EU1)');
  }
  const wrong = hosts.find((host) => !isHostName(host));
  if (wrong !== undefined) throw new QuireError('VALIDATION_ERROR', `Not a host name: ${wrong}`);
}
