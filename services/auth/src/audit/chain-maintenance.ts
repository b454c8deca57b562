import { hasSqlState, sqlState, type TransactionalDatabase } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask, type Sweep } from '@quire/runtime';
import type { Tenant } from '@quire/tenancy';
import { deleteRecords, selectLastExpiredLink, hasLink, selectLastLink } from './audit-chain.repository.js';
import type { AuditHeads } from './audit-heads.repository.js';

/** Maximum age of a stored head. */
const everyMs = 3_600_000;
/** Maximum number of records deleted in one transaction. */
const batchSize = 500;

/** Dependencies of the maintenance of the audit chains. */
export interface ChainMaintenanceDeps {
  tenants: () => Promise<readonly Tenant[]>;
  tenantDatabase: (tenant: Tenant) => TransactionalDatabase;
  heads: AuditHeads;
  retentionDays: number;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Maintains the audit chains of all sites: stores the head of each in the registry and deletes expired records. Runs of
 * several processes may overlap.
 */
export function chainMaintenance(deps: ChainMaintenanceDeps): Sweep {
  const { tenants, logger } = deps;
  const task = new IntervalTask({
    everyMs,
    failure: 'audit log maintenance failed',
    logger,
    work: async (isStopping) => {
      const failures: unknown[] = [];
      const maintainAll = async (sites: readonly Tenant[]) => {
        for (const tenant of sites) {
          if (isStopping()) return;
          await maintainChain(deps, tenant).catch((error: unknown) => {
            // A site has no tables during its creation and deletion.
            if (!hasSqlState(error, sqlState.undefinedTable)) failures.push(error);
          });
        }
      };
      // One after the other in each database, because one that is unavailable or slow must delay no other.
      const sites = await tenants();
      const keys = [...new Set(sites.map(({ database }) => database))];
      await Promise.all(keys.map((key) => maintainAll(sites.filter(({ database }) => database === key))));
      if (failures.length > 0) throw failures[0];
    },
  });
  return { tasks: [task], start: () => task.start(0), stop: () => task.stop() };
}

/**
 * Stores the head of a site's chain and deletes its expired records. A chain without the last stored head was tampered
 * with: the chain, and the head as the evidence, are left unchanged.
 * @returns whether the chain contains that head
 */
export async function maintainChain(
  { tenantDatabase, heads, retentionDays, logger }: Omit<ChainMaintenanceDeps, 'tenants'>,
  tenant: Tenant,
): Promise<boolean> {
  const db = tenantDatabase(tenant);
  const known = (await heads.selectNewestHead(tenant.id)) ?? (await heads.selectAnchor(tenant.id));
  if (known && !(await hasLink(db, known))) {
    // Another process may have deleted it as expired since.
    const anchor = await heads.selectAnchor(tenant.id);
    if (anchor && anchor.seq > known.seq) return true;
    const fields = { tenant: tenant.id, seq: known.seq };
    logger.error(fields, 'audit log tampered with: run cms audit verify for the location');
    return false;
  }
  const head = await selectLastLink(db);
  if (!head) return true;
  if (head.seq > (known?.seq ?? 0)) await heads.upsertHead(tenant.id, head);
  for (;;) {
    const end = await selectLastExpiredLink(db, retentionDays, batchSize);
    if (!end) return true;
    // The anchor first: a concurrent verification then finds more records than required, never fewer.
    await heads.updateAnchor(tenant.id, end);
    await db.transaction((tx) => deleteRecords(tx, end.seq));
  }
}
