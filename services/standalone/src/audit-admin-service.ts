import { setTimeout as sleep } from 'node:timers/promises';
import {
  exportRecords,
  lastRecordNumber,
  verifyAuditChain,
  type ChainVerification,
  type ExportedRecord,
} from '@quire/auth-service';
import { QuireError } from '@quire/errors';
import type { Tenant } from '@quire/tenancy';
import type { AppContainer } from './app-container.js';
import { databasesOf } from './services.js';
import { auditHeadsOf } from './targets/audit-heads.js';

/** How often a followed export looks for new records. */
const pollEveryMs = 1_000;

/** What operators do with the audit logs of sites. */
export class AuditAdminService {
  constructor(private readonly container: AppContainer) {}

  /**
   * Verifies the chains of all sites, or of one.
   * @throws QuireError NOT_FOUND (tenant).
   */
  async verify(tenantId?: string): Promise<(ChainVerification & { tenant: string })[]> {
    const heads = await auditHeadsOf(this.container);
    const databases = await databasesOf(this.container, 'auth');
    const verifications = [];
    for (const tenant of await this.tenants(tenantId)) {
      const verification = await verifyAuditChain(databases.tenant(tenant), heads, tenant.id);
      verifications.push({ tenant: tenant.id, ...verification });
    }
    return verifications;
  }

  /**
   * The records of all sites, or of one, site by site in the order of their chains.
   * @param options.since leaves out what was done before
   * @param options.follow goes on with new records, of new sites too, until it is aborted
   * @throws QuireError NOT_FOUND (tenant).
   */
  async *export({
    tenantId,
    since,
    follow,
  }: {
    tenantId?: string | undefined;
    since?: string | undefined;
    follow?: AbortSignal | undefined;
  }): AsyncGenerator<ExportedRecord> {
    const databases = await databasesOf(this.container, 'auth');
    const exported = new Map<string, number>();
    do {
      for (const tenant of await this.tenants(tenantId)) {
        const db = databases.tenant(tenant);
        const after = exported.get(tenant.id) ?? 0;
        const upTo = await lastRecordNumber(db);
        if (upTo > after) yield* exportRecords(db, tenant.id, { after, upTo, since });
        exported.set(tenant.id, upTo);
      }
      // The wait ends early, by an error, when it is aborted.
      if (follow) await sleep(pollEveryMs, undefined, { signal: follow }).catch(() => undefined);
    } while (follow && !follow.aborted);
  }

  private async tenants(id: string | undefined): Promise<readonly Tenant[]> {
    const registry = await this.container.registry();
    if (id === undefined) return registry.list();
    const tenant = await registry.byId(id);
    if (!tenant) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
    return [tenant];
  }
}
