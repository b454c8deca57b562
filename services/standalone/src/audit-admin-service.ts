import { setTimeout as sleep } from 'node:timers/promises';
import {
  exportRecords,
  lastRecordNumber,
  verifyAuditChain,
  type ChainVerification,
  type ExportedRecord,
} from '@quire/auth-service';
import type { AppContainer } from './app-container.js';
import { databasesOf } from './services.js';
import { auditHeadsOf } from './targets/auth-worker.js';
import { tenantsOf } from './tenants-of.js';

/** Interval in which a followed export reads new records. */
const pollIntervalMs = 1_000;

/** Operator commands on the audit logs of sites. */
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
    for (const tenant of await tenantsOf(this.container, tenantId)) {
      const verification = await verifyAuditChain(databases.tenant(tenant), heads, tenant.id);
      verifications.push({ tenant: tenant.id, ...verification });
    }
    return verifications;
  }

  /**
   * Exports the records of all sites, or of one, site by site in the order of their chains.
   * @param options.since skips earlier records
   * @param options.follow continues with new records, also of new sites, until it is aborted
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
      for (const tenant of await tenantsOf(this.container, tenantId)) {
        const db = databases.tenant(tenant);
        const after = exported.get(tenant.id) ?? 0;
        const upTo = await lastRecordNumber(db);
        if (upTo > after) yield* exportRecords(db, tenant.id, { after, upTo, since });
        exported.set(tenant.id, upTo);
      }
      // An abort ends the wait early with an error.
      if (follow) await sleep(pollIntervalMs, undefined, { signal: follow }).catch(() => undefined);
    } while (follow && !follow.aborted);
  }
}
