import {
  hasSqlState,
  sqlState,
  type Migration,
  type Queryable,
  type TransactionalDatabase,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { defaultTenantId, isDatabaseKey, isHostName, isTenantId, type Tenant } from './tenant.js';

/** The registry's own schema, in the default database. */
export const registrySchema = 'cms_registry';

export const registryMigrations: readonly Migration[] = [
  {
    name: '0001-tenants',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE tenants (
          id text PRIMARY KEY,
          database text,
          created_at timestamptz(3) NOT NULL DEFAULT now()
        )`);
      await sql.query(`
        CREATE TABLE tenant_hosts (
          host text PRIMARY KEY,
          tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE
        )`);
    },
  },
  {
    // What is known of a site's audit log outside of its own schema (services/auth/src/audit).
    name: '0002-audit-heads',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE audit_heads (
          tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
          day date NOT NULL,
          seq bigint NOT NULL,
          hash bytea NOT NULL,
          PRIMARY KEY (tenant_id, day)
        )`);
      await sql.query(`
        CREATE TABLE audit_anchors (
          tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
          seq bigint NOT NULL,
          hash bytea NOT NULL
        )`);
    },
  },
];

interface Snapshot {
  byHost: ReadonlyMap<string, Tenant>;
  byId: ReadonlyMap<string, Tenant>;
  loadedAt: number;
}

const maxSnapshotAgeMs = 60_000;
const missRetryMs = 20;
/**
 * Interval of look-ups of unregistered hosts while `default` has them: one may have been registered for another tenant.
 */
const fallbackRetryMs = 100;

/**
 * Which host name is which tenant, and which database a tenant lives in. The answer stands on the request path, so the
 * whole (small) registry is held in the process for at most a minute and dropped by relay message on every change.
 */
export class TenantRegistry {
  private snapshot: Snapshot | undefined;
  private loading: Promise<Snapshot> | undefined;

  private readonly installationHosts: ReadonlySet<string>;

  /**
   * @param installationHosts where the installation itself is reached: `default` has them until another
   * tenant is given them
   */
  constructor(
    private readonly sql: TransactionalDatabase,
    installationHosts: readonly string[] = [],
  ) {
    this.installationHosts = new Set(installationHosts);
  }

  /**
   * The tenant of a request's Host header, port included or not. An unregistered host is the tenant `default` if it is
   * the installation's own, or while `default` is the only tenant; else undefined (decision 29).
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

  /** Whether a host name, port included or not, is registered for a site. */
  async knowsHost(host: string): Promise<boolean> {
    return (await this.registeredHost(host)) !== undefined;
  }

  /** The host of a site that a Host header means, as it is registered: with its port, or without one for any. */
  async registeredHost(host: string): Promise<string | undefined> {
    return registeredName((await this.current()).byHost, host);
  }

  /** Host names that are registered for a tenant. */
  async hostsOf(id: string): Promise<string[]> {
    const { byHost } = await this.current();
    return [...byHost].filter(([, tenant]) => tenant.id === id).map(([host]) => host);
  }

  /**
   * The installation's own hosts that lead to a tenant, without being registered for it: `default` alone has
   * any.
   */
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

  async list(): Promise<Tenant[]> {
    return [...(await this.current()).byId.values()];
  }

  /**
   * Adds a tenant with its hosts; its tables are made by provisioning.
   * @throws QuireError VALIDATION_ERROR for an unusable id, host or database key; CONFLICT when id or host is taken.
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
   * Gives a tenant more hosts; those that it has already stay.
   * @throws QuireError VALIDATION_ERROR for what is no host, CONFLICT when another tenant has one of them: none is
   *   added then.
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

  /** Takes one of a tenant's hosts away. @returns false when the tenant does not have it */
  async removeHost(id: string, host: string): Promise<boolean> {
    const removed = await this.sql.query(
      'DELETE FROM tenant_hosts WHERE tenant_id = $1 AND host = $2 RETURNING host',
      [id, host.toLowerCase()],
    );
    this.drop();
    return removed.length > 0;
  }

  /**
   * Takes a tenant's hosts away, so that no request reaches it any more; the tenant itself stays until it is removed.
   */
  async removeHosts(id: string): Promise<void> {
    await this.sql.query('DELETE FROM tenant_hosts WHERE tenant_id = $1', [id]);
    this.drop();
  }

  /** Removes a tenant and its hosts. @returns false when there is none of that id. */
  async remove(id: string): Promise<boolean> {
    const removed = await this.sql.query('DELETE FROM tenants WHERE id = $1 RETURNING id', [id]);
    this.drop();
    return removed.length > 0;
  }

  /** Makes sure that there is at least the tenant `default`. */
  async ensureDefault(): Promise<void> {
    await this.sql.query(
      'INSERT INTO tenants (id) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM tenants) ON CONFLICT DO NOTHING',
      [defaultTenantId],
    );
    this.drop();
  }

  /** Forgets what is cached. */
  drop(): void {
    this.snapshot = undefined;
    this.loading = undefined;
  }

  private tenantOfInstallationHost({ byId }: Snapshot, host: string): Tenant | undefined {
    return registeredName(this.installationHosts, host) === undefined ? undefined : byId.get(defaultTenantId);
  }

  /**
   * A host that is not known may be that of a tenant made a moment ago; floods of such hosts cost a read now and then.
   */
  private isOlderThan(milliseconds: number): boolean {
    return this.snapshot !== undefined && Date.now() - this.snapshot.loadedAt > milliseconds;
  }

  private async current(): Promise<Snapshot> {
    if (this.snapshot && Date.now() - this.snapshot.loadedAt < maxSnapshotAgeMs) return this.snapshot;
    const loading = (this.loading ??= this.load());
    try {
      const snapshot = await loading;
      // A drop during the load means that what was loaded may already be old: it serves this caller and is not kept.
      if (this.loading === loading) this.snapshot = snapshot;
      return snapshot;
    } finally {
      if (this.loading === loading) this.loading = undefined;
    }
  }

  private async load(): Promise<Snapshot> {
    const tenants = await this.sql.query<Tenant & { hosts: string[] }>(`
      SELECT id, database, array(SELECT host FROM tenant_hosts WHERE tenant_id = tenants.id) AS hosts
      FROM tenants ORDER BY id`);
    const byHost = new Map<string, Tenant>();
    const byId = new Map<string, Tenant>();
    for (const { id, database, hosts } of tenants) {
      const tenant = { id, database };
      byId.set(id, tenant);
      for (const host of hosts) byHost.set(host, tenant);
    }
    return { byHost, byId, loadedAt: Date.now() };
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

/** The name among known ones that a Host header means: with its port, or without one for any. */
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
