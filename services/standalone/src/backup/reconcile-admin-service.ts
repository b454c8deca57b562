import { dropFormerSite, type Repairs, type Tenant } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { ownedTables } from '../services.js';
import { tenantsOf } from '../tenants-of.js';
import { checkObjects, type ObjectCheck } from './objects/check-objects.js';
import { reconcileSite } from './reconcile-site.js';
import { siteDatabasesOf, type SiteDatabase } from './site-databases.js';

export interface ReconcileSiteOptions {
  /** Whether to change nothing. */
  isDryRun: boolean;
  /** Whether the search indexes and the index of media usage are built again. */
  rebuilds: boolean;
  /** Whether objects that no row names are deleted. */
  deletesOrphans: boolean;
}

/** Brings what derives from the tables of sites in line with them. */
export class ReconcileAdminService {
  constructor(private readonly container: AppContainer) {}

  /** The site of an id, or all. @throws QuireError NOT_FOUND */
  tenants(id?: string): Promise<readonly Tenant[]> {
    return tenantsOf(this.container, id);
  }

  /**
   * Reconciles a site. A second run finds nothing, except for objects that remain missing or without a row.
   * @throws QuireError SERVICE_UNAVAILABLE; ObjectStoreUnavailable
   */
  async reconcile(
    tenant: Tenant,
    { isDryRun, rebuilds, deletesOrphans }: ReconcileSiteOptions,
  ): Promise<{ repairs: Repairs; objects: ObjectCheck }> {
    const databases = await siteDatabasesOf(await ownedTables(this.container), tenant);
    const former = isDryRun ? 0 : await dropFormer(tenant, databases);
    const repairs = await reconcileSite(tenant, databases, { isDryRun, rebuilds });
    const objects = await checkObjects(tenant, {
      databases,
      store: await this.container.objectStore(),
      deletesLost: !isDryRun,
      deletesOrphans: deletesOrphans && !isDryRun,
    });
    return { repairs: { ...repairs, 'tables that a restoration has replaced': former }, objects };
  }
}

/** Deletes what an interrupted restoration has left. @returns the number of databases that had any */
async function dropFormer(tenant: Tenant, databases: readonly SiteDatabase[]): Promise<number> {
  const dropped = await Promise.all(databases.map((place) => dropFormerSite(place.databases, tenant)));
  return dropped.filter(Boolean).length;
}
