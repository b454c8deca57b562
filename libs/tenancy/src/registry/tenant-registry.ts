import { hasSqlState, sqlState, type Queryable, type TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { ReadOnlyReason } from './read-only-reason.js';
import { checkRegistration, insertHosts, lockRegistry } from './registration.js';
import { MissedHosts } from './missed-hosts.js';
import {
  ageOf,
  loadSnapshot,
  maxSnapshotAgeMs,
  namesOf,
  onlyTenant,
  randomMaxAgeMs,
  registeredName,
  registeredTenant,
  type Snapshot,
} from './registry-snapshot.js';
import { presentIdOf, storageIdOf } from './renames.js';
import { updateSiteOptions } from './site-options.js';
import { defaultTenantId, type NewTenant, type Tenant } from './tenant.js';

/** The registry's schema, in the default database. */
export const registrySchema = 'cms_registry';

/** While the database does not respond, requests go on with what the process knows, for so long. */
const maxUncheckedMs = 300_000;
/** A part of a change, in its transaction: its line in a log. */
export type WithinChange = (tx: Queryable) => Promise<void>;
const nothing: WithinChange = () => Promise.resolve();

/** Interval of checks while `default` has all hosts: one may have been registered for another tenant. */
const fallbackRetryMs = 100;

/**
 * Maps host names to tenants, and tenants to databases. Every request needs it, so the process keeps the whole (small)
 * registry. It is dropped on a relay message of a change, and else compared by its version once a minute.
 *
 * Methods that change it take `within`, which is called once in the transaction of a change that is made.
 */
export class TenantRegistry {
  private snapshot: Snapshot | undefined;
  private loading: Promise<Snapshot> | undefined;
  private checking: Promise<Snapshot> | undefined;
  /** Of the last snapshot, whose unchanged tenants the next one has too. */
  private known: Snapshot['byId'] = new Map();
  private readonly missedHosts = new MissedHosts();
  /** Running look-ups by host, which concurrent requests share. */
  private readonly hostLookUps = new Map<string, Promise<Tenant | undefined>>();

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
    const registered = registeredTenant(snapshot, host);
    if (registered) return registered;
    const implied = this.impliedTenant(snapshot, host);
    if (!implied) return this.lookUpHost(host);
    if (ageOf(snapshot) <= fallbackRetryMs) return implied;
    // Another process may have registered the host.
    const present = await this.check().catch(() => snapshot);
    return registeredTenant(present, host) ?? this.impliedTenant(present, host);
  }

  /** The tenant of a host that is not registered. */
  private impliedTenant(snapshot: Snapshot, host: string): Tenant | undefined {
    return this.tenantOfInstallationHost(snapshot, host) ?? onlyTenant(snapshot);
  }

  /**
   * Looks up a host that the process does not know: another process may have just registered it. A flood of such hosts
   * costs a bounded number of look-ups, and no request of a known site waits for them.
   */
  private lookUpHost(host: string): Promise<Tenant | undefined> {
    const names = namesOf(host);
    const [name = ''] = names;
    const running = this.hostLookUps.get(name);
    if (running) return running;
    if (!this.missedHosts.mayLookUp(name)) return Promise.resolve(undefined);
    const lookUp = this.findHost(names).finally(() => this.hostLookUps.delete(name));
    this.hostLookUps.set(name, lookUp);
    return lookUp;
  }

  private async findHost(names: readonly string[]): Promise<Tenant | undefined> {
    const found = await this.sql.query('SELECT 1 FROM tenant_hosts WHERE host = ANY($1)', [names]);
    if (found.length === 0) return undefined;
    const [host = ''] = names;
    this.missedHosts.delete(host);
    const present = await this.afterChange();
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

  /** The tenant of an id. One that the process does not know is looked up before it counts as deleted. */
  async byId(id: string): Promise<Tenant | undefined> {
    const known = (await this.current()).byId.get(id);
    if (known) return known;
    const found = await this.sql.query('SELECT 1 FROM tenants WHERE id = $1 AND purge_started_at IS NULL', [
      id,
    ]);
    return found.length === 0 ? undefined : (await this.afterChange()).byId.get(id);
  }

  /** The registry after a change that no message has reported. */
  private afterChange(): Promise<Snapshot> {
    this.drop();
    return this.current();
  }

  /**
   * The error code of rejected writes; undefined for a site that is writable or unknown. It is at most a minute old.
   * @throws the error of the database when that cannot be assured
   */
  async readOnlyReasonOf(tenantId: string): Promise<ReadOnlyReason | undefined> {
    const snapshot = await this.current();
    const present = ageOf(snapshot) > maxSnapshotAgeMs ? await this.check() : snapshot;
    return present.readOnlyReasons.get(tenantId);
  }

  /**
   * Makes a site read-only for a reason, or writable. Repeating it changes nothing. This process applies it when the
   * call returns; the caller announces it to the others.
   * @param reason the error code of rejected writes; null for a writable site
   */
  async setReadOnlyReason(tenantId: string, reason: ReadOnlyReason | null): Promise<void> {
    await this.sql.transaction(async (tx) => {
      await lockRegistry(tx);
      await tx.query(
        'UPDATE tenants SET read_only_reason = $2 WHERE id = $1 AND read_only_reason IS DISTINCT FROM $2',
        [tenantId, reason],
      );
    });
    this.drop();
  }

  /** Whether an operator has suspended or deleted a site. It is known within a minute, and usually at once. */
  async isSuspended(tenantId: string): Promise<boolean> {
    return (await this.current()).suspended.has(tenantId);
  }

  /** Whether a site moves to another database: its jobs wait, at most until the move expires. */
  async isMoving(tenantId: string): Promise<boolean> {
    return ((await this.current()).movingUntil.get(tenantId) ?? 0) > Date.now();
  }

  /** Whether an operator has deleted a site, which is restorable. */
  async isDeleted(tenantId: string): Promise<boolean> {
    return (await this.current()).deleted.has(tenantId);
  }

  /** Ids of the suspended and of the deleted sites. */
  async suspendedIds(): Promise<string[]> {
    return [...(await this.current()).suspended];
  }

  /**
   * Suspends a site, or resumes it with null. A suspended one keeps its time and gets the new reason. This process
   * applies it when the call returns; the caller announces it to the others.
   * @returns false when there is no such site
   */
  async setSuspension(tenantId: string, reason: string | null, within = nothing): Promise<boolean> {
    const isFound = await this.sql.transaction(async (tx) => {
      await lockRegistry(tx);
      const rows = await tx.query(
        `UPDATE tenants SET suspension_reason = $2,
           suspended_at = CASE WHEN $2::text IS NULL THEN NULL ELSE coalesce(suspended_at, now()) END
         WHERE id = $1 AND purge_started_at IS NULL RETURNING id`,
        [tenantId, reason],
      );
      if (rows.length > 0) await within(tx);
      return rows.length > 0;
    });
    this.drop();
    return isFound;
  }

  async list(): Promise<Tenant[]> {
    return [...(await this.current()).byId.values()];
  }

  /**
   * Adds a tenant with its hosts; provisioning creates its tables. Settings, limits and plan are validated ones.
   * @throws QuireError VALIDATION_ERROR for an invalid id, host or database key; CONFLICT for an existing id or host
   */
  async add(tenant: NewTenant, hosts: readonly string[], within = nothing): Promise<void> {
    const names = hosts.map((host) => host.toLowerCase());
    checkRegistration(tenant, names);
    try {
      await this.sql.transaction(async (tx) => {
        await lockRegistry(tx);
        const { id, database, settings = {}, limits = {}, plan = null } = tenant;
        await tx.query('INSERT INTO tenants (id, database) VALUES ($1, $2)', [id, database]);
        await updateSiteOptions(tx, id, { settings, limits, plan });
        await insertHosts(tx, tenant.id, names);
        await within(tx);
      });
    } catch (error) {
      if (hasSqlState(error, sqlState.uniqueViolation)) {
        const what =
          error.table === 'tenants' ? await this.holderOf(tenant.id) : 'another tenant has that host';
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
  async addHosts(tenant: Tenant, hosts: readonly string[], within = nothing): Promise<void> {
    await this.changeHosts(tenant, hosts, within);
  }

  /** Like `addHosts`; the tenant has no other hosts afterwards. */
  async setHosts(tenant: Tenant, hosts: readonly string[], within = nothing): Promise<void> {
    await this.changeHosts(tenant, hosts, async (tx) => {
      const names = hosts.map((host) => host.toLowerCase());
      await tx.query('DELETE FROM tenant_hosts WHERE tenant_id = $1 AND host <> ALL($2)', [tenant.id, names]);
      await within(tx);
    });
  }

  /** Why an id cannot be given to a new tenant. */
  private async holderOf(id: string): Promise<string> {
    const present = await presentIdOf(this.sql, await storageIdOf(this.sql, id));
    return present === id
      ? `the tenant ${id} exists`
      : `the tenant ${present} had the id ${id} before its rename`;
  }

  private async changeHosts(tenant: Tenant, hosts: readonly string[], within: WithinChange): Promise<void> {
    const names = hosts.map((host) => host.toLowerCase());
    checkRegistration(tenant, names);
    await this.sql.transaction(async (tx) => {
      await lockRegistry(tx);
      const own = await tx.query('SELECT 1 FROM tenants WHERE id = $1 AND purge_started_at IS NULL', [
        tenant.id,
      ]);
      if (own.length === 0) throw new QuireError('NOT_FOUND', `There is no tenant ${tenant.id}`);
      await insertHosts(tx, tenant.id, names, 'ON CONFLICT (host) DO NOTHING');
      const others = await tx.query<{ host: string }>(
        'SELECT host FROM tenant_hosts WHERE host = ANY($1) AND tenant_id <> $2',
        [names, tenant.id],
      );
      const [taken] = others;
      if (taken) throw new QuireError('CONFLICT', `Not added: another tenant has the host ${taken.host}`);
      await within(tx);
    });
    this.drop();
  }

  /** Removes one of a tenant's hosts. @returns false when the tenant does not have it */
  async removeHost(id: string, host: string, within = nothing): Promise<boolean> {
    const isRemoved = await this.sql.transaction(async (tx) => {
      await lockRegistry(tx);
      const removed = await tx.query(
        'DELETE FROM tenant_hosts WHERE tenant_id = $1 AND host = $2 RETURNING host',
        [id, host.toLowerCase()],
      );
      if (removed.length > 0) await within(tx);
      return removed.length > 0;
    });
    this.drop();
    return isRemoved;
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

  /**
   * Compares the cached registry with the database, and reads it again after a change.
   * @returns the version that this process uses from now on
   */
  async refresh(): Promise<number> {
    return (await this.check()).version;
  }

  /** Drops the cached registry: the next request waits for a new one. */
  drop(): void {
    this.snapshot = undefined;
    this.loading = undefined;
    this.checking = undefined;
    this.missedHosts.clear();
  }

  private tenantOfInstallationHost({ byId }: Snapshot, host: string): Tenant | undefined {
    return registeredName(this.installationHosts, host) === undefined ? undefined : byId.get(defaultTenantId);
  }

  /** The registry. One that is due for a check serves until the check has ended. */
  private async current(): Promise<Snapshot> {
    const { snapshot } = this;
    if (!snapshot) return this.reload();
    if (ageOf(snapshot) < snapshot.maxAgeMs) return snapshot;
    const checked = this.check();
    if (ageOf(snapshot) > maxUncheckedMs) return checked;
    checked.catch(() => undefined);
    return snapshot;
  }

  /** Compares the version of the registry, and loads it again if it has changed. Concurrent calls share a check. */
  private check(): Promise<Snapshot> {
    const checking = (this.checking ??= this.compareVersions());
    const end = () => {
      if (this.checking === checking) this.checking = undefined;
    };
    checking.then(end, end);
    return checking;
  }

  private async compareVersions(): Promise<Snapshot> {
    const { snapshot } = this;
    if (!snapshot) return this.reload();
    const checkedAt = Date.now();
    const [row] = await this.sql.query<{ version: number }>('SELECT version FROM registry_version');
    if (row?.version !== snapshot.version) return this.reload();
    const current = { ...snapshot, checkedAt, maxAgeMs: randomMaxAgeMs() };
    // A drop in the meantime means that the result may be outdated.
    if (this.snapshot === snapshot) this.snapshot = current;
    return current;
  }

  private async reload(): Promise<Snapshot> {
    const loading = (this.loading ??= loadSnapshot(this.sql, this.known));
    try {
      const snapshot = await loading;
      this.known = snapshot.byId;
      // A drop during the load means that the result may be outdated: it serves this caller and is not cached.
      if (this.loading === loading) this.snapshot = snapshot;
      return snapshot;
    } finally {
      if (this.loading === loading) this.loading = undefined;
    }
  }
}
