import { hasSqlState, sqlState, type TransactionalDatabase } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask } from '@quire/runtime';
import type { Tenant } from '@quire/tenancy';
import { deleteRecords, selectLastExpiredLink, hasLink, selectLastLink } from './audit-chain.repository.js';
import type { AuditHeads } from './audit-heads.js';

/** How long a head may be behind its chain. */
const everyMs = 3_600_000;
/** Most records that one transaction removes. */
const batchSize = 500;

export interface ChainMaintenanceDeps {
  tenants: () => Promise<readonly Tenant[]>;
  tenantDatabase: (tenant: Tenant) => TransactionalDatabase;
  heads: AuditHeads;
  /** How long a record is kept. */
  retentionDays: number;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Keeps the chains of all sites: stores the head of each in the registry, and removes what is past the retention.
 * Several may run at once.
 */
export function chainMaintenance(deps: ChainMaintenanceDeps): IntervalTask {
  const { tenants, logger } = deps;
  return new IntervalTask({
    everyMs,
    failure: 'audit log maintenance failed',
    logger,
    work: async (isStopping) => {
      const failures: unknown[] = [];
      for (const tenant of await tenants()) {
        if (isStopping()) return;
        await maintainChain(deps, tenant).catch((error: unknown) => {
          // A site that is being made or deleted has no tables.
          if (!hasSqlState(error, sqlState.undefinedTable)) failures.push(error);
        });
      }
      if (failures.length > 0) throw failures[0];
    },
  });
}

/**
 * Stores the head of a site's chain and removes its expired records. A chain that no longer has the head that was
 * stored last was tampered with: it is left as it is, and so is the head, which proves it.
 * @returns whether the chain has that head
 */
export async function maintainChain(
  { tenantDatabase, heads, retentionDays, logger }: Omit<ChainMaintenanceDeps, 'tenants'>,
  tenant: Tenant,
): Promise<boolean> {
  const db = tenantDatabase(tenant);
  const known = (await heads.newest(tenant.id)) ?? (await heads.anchor(tenant.id));
  if (known && !(await hasLink(db, known))) {
    // Another process may have removed it as expired meanwhile.
    const anchor = await heads.anchor(tenant.id);
    if (anchor && anchor.seq > known.seq) return true;
    const fields = { tenant: tenant.id, seq: known.seq };
    logger.error(fields, 'audit log tampered with: run cms audit verify for the location');
    return false;
  }
  const head = await selectLastLink(db);
  if (!head) return true;
  if (head.seq > (known?.seq ?? 0)) await heads.store(tenant.id, head);
  for (;;) {
    const end = await selectLastExpiredLink(db, retentionDays, batchSize);
    if (!end) return true;
    // First the anchor: whoever verifies meanwhile finds more than must be there, never less.
    await heads.moveAnchor(tenant.id, end);
    await db.transaction((tx) => deleteRecords(tx, end.seq));
  }
}
