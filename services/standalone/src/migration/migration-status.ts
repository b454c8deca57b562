import { hasSqlState, sqlState, type Queryable } from '@quire/database';
import {
  selectSiteVersions,
  servicesBehind,
  type RecordedVersion,
  type SiteVersion,
  type Tenant,
} from '@quire/tenancy';

/** `newer`: a newer version has migrated the site too. `failed`: the last attempt failed. */
export type MigrationState = 'current' | 'newer' | 'behind' | 'failed';

export interface SiteMigration {
  tenant: string;
  state: MigrationState;
  /** Services whose tables lack migrations. */
  behind: string[];
  /** Why the last attempt failed. */
  error: string | null;
}

/**
 * The state of each site's tables by the records of the registry, without a look at the tables.
 * @param own the version of this program
 */
export async function migrationStatus(
  registry: Queryable,
  tenants: readonly Tenant[],
  own: SiteVersion,
): Promise<SiteMigration[]> {
  const recorded = await selectSiteVersions(registry).catch((error: unknown) => {
    // No version with records has migrated this installation.
    if (hasSqlState(error, sqlState.undefinedTable)) return new Map<string, RecordedVersion>();
    throw error;
  });
  return tenants.map(({ id }) => {
    const { version = {}, error = null } = recorded.get(id) ?? {};
    const behind = servicesBehind(version, own);
    const isNewer = servicesBehind(own, version).length > 0;
    return { tenant: id, state: stateOf({ isBehind: behind.length > 0, isNewer, error }), behind, error };
  });
}

function stateOf({
  isBehind,
  isNewer,
  error,
}: {
  isBehind: boolean;
  isNewer: boolean;
  error: string | null;
}): MigrationState {
  if (isBehind) return error === null ? 'behind' : 'failed';
  return isNewer ? 'newer' : 'current';
}
