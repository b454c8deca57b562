import { ConfigurationError } from '@quire/config';
import { missingMigrations, type ServiceDatabases, type Tenant } from '@quire/tenancy';
import type { OwnedTables } from '../../migration/migrate-all.js';

/** The services whose tables of a site are in one database, and so in one schema. */
export type Place = OwnedTables;

/**
 * Groups the services by their databases at a key. A database has the same group under each of its addresses.
 * @throws ConfigurationError for a key without an address
 */
export async function placesAt(owned: OwnedTables, key: string | null): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  for (const service of owned) {
    const name = await identityOf(service.databases, key);
    places.set(name, [...(places.get(name) ?? []), service]);
  }
  return places;
}

/**
 * The places of a site whose tables may move from one key to another.
 * @throws ConfigurationError when they may not: the databases are the same ones, lack tables, or are shared by other
 *   services
 */
export async function movablePlaces(
  owned: OwnedTables,
  from: string | null,
  to: string | null,
): Promise<Place[]> {
  const [sources, targets] = [await placesAt(owned, from), await placesAt(owned, to)];
  const shared = [...sources.keys()].some((name) => targets.has(name));
  if (shared) throw new ConfigurationError(`${nameOf(to)} is the database that the site is in`);
  if (partsOf(sources) !== partsOf(targets))
    throw new ConfigurationError(
      `The services share databases in another way at ${nameOf(to)} than at ${nameOf(from)}: set its variables alike`,
    );
  for (const { databases } of owned) {
    const missing = await missingMigrations(databases.shared(from), databases.shared(to));
    if (missing.length > 0)
      throw new ConfigurationError(
        `The database ${nameOf(to)} lacks migrations of ${databases.service} (${missing.join(', ')}): run cms migrate`,
      );
  }
  return [...sources.values()];
}

/** How a command names a database: its key, or `default` for that of DATABASE_URL. */
export const nameOf = (key: string | null): string => key ?? 'default';

export const keyOf = (name: string): string | null => (name === 'default' ? null : name);

/** The databases of a place at a key. All services of the place have the same ones. */
export function databasesOfPlace([first]: Place): ServiceDatabases {
  if (!first) throw new Error('A place has a service');
  return first.databases;
}

export const tenantAt = (id: string, database: string | null): Tenant => ({ id, database });

/** Distinguishes databases, whatever their addresses: no two servers start in the same microsecond. */
async function identityOf(databases: ServiceDatabases, key: string | null): Promise<string> {
  if (!databases.keys.includes(key))
    throw new ConfigurationError(
      `${databases.service} has no database ${nameOf(key)}: set DATABASE_URL_${key}`,
    );
  const [row] = await databases
    .inSchema('pg_catalog', key)
    .query<{ name: string }>(
      "SELECT extract(epoch FROM pg_postmaster_start_time()) || ' ' || current_database() AS name",
    );
  return row?.name ?? '';
}

const partsOf = (places: Map<string, Place>): string =>
  [...places.values()]
    .map((place) => place.map(({ databases }) => databases.service).join())
    .sort()
    .join(' ');
