import type { Transaction } from '@quire/database';
import type { ReconcileOptions, Repairs, Tenant } from '@quire/tenancy';
import { reconcileOf } from '../services.js';
import type { SiteDatabase } from './site-databases.js';

/** Reconciles the derived rows of the services with tables in a database. */
export async function reconcileDatabase(
  tx: Transaction,
  { services }: Pick<SiteDatabase, 'services'>,
  tenant: Tenant,
  options: ReconcileOptions,
): Promise<Repairs> {
  let repairs: Repairs = {};
  for (const service of services)
    repairs = { ...repairs, ...(await reconcileOf(service)?.(tx, tenant, options)) };
  return repairs;
}
