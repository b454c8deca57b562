import { allowLongStatements, type TransactionalDatabase } from '@quire/database';
import type { ReconcileOptions, Repairs, Tenant } from '@quire/tenancy';
import { reconcileDatabase } from './reconcile-database.js';
import type { SiteDatabase } from './site-databases.js';

/** Ends a transaction without its changes. */
class RolledBack extends Error {
  constructor(readonly repairs: Repairs) {
    super('The changes were only tried');
  }
}

/**
 * Brings the rows of a site that derive from its tables in line with them.
 * @param options.isDryRun whether to change nothing
 * @returns what was repaired, or would be
 */
export async function reconcileSite(
  tenant: Tenant,
  databases: readonly SiteDatabase[],
  { isDryRun, ...options }: ReconcileOptions & { isDryRun: boolean },
): Promise<Repairs> {
  let repairs: Repairs = {};
  for (const place of databases) {
    const found = await tried(place.databases.tenant(tenant), (sql) =>
      sql.transaction(async (tx) => {
        await allowLongStatements(tx);
        const made = await reconcileDatabase(tx, place, tenant, options);
        if (isDryRun) throw new RolledBack(made);
        return made;
      }),
    );
    repairs = { ...repairs, ...found };
  }
  return repairs;
}

async function tried(
  sql: TransactionalDatabase,
  work: (sql: TransactionalDatabase) => Promise<Repairs>,
): Promise<Repairs> {
  try {
    return await work(sql);
  } catch (error) {
    if (error instanceof RolledBack) return error.repairs;
    throw error;
  }
}
