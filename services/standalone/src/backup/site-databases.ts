import type { ServiceDatabases, ServiceTables, Tenant } from '@quire/tenancy';
import type { DataServiceName } from '@quire/topology';
import type { OwnedTables } from '../migration/migrate-all.js';

/** A database with tables of a site. Services without one of their own share it, and the site's schema in it. */
export interface SiteDatabase {
  /** Names of the services whose tables it has, in their order. */
  services: DataServiceName[];
  /** The tables of these services. */
  tables: ServiceTables[];
  /** The handle of one of the services. */
  databases: ServiceDatabases;
}

/** The databases of a site. */
export async function siteDatabasesOf(owned: OwnedTables, { database }: Tenant): Promise<SiteDatabase[]> {
  const found = new Map<string, SiteDatabase>();
  for (const { databases, tables } of owned) {
    const [place] = await databases.inSchema('pg_catalog', database).query<{ key: string }>(
      `SELECT concat_ws('/', system_identifier, (SELECT oid FROM pg_database WHERE datname = current_database())) AS key
       FROM pg_control_system()`,
    );
    const key = place?.key ?? '';
    const known = found.get(key) ?? { services: [], tables: [], databases };
    known.services.push(databases.service as DataServiceName);
    known.tables.push(tables);
    found.set(key, known);
  }
  return [...found.values()];
}
