import type { Queryable } from '@quire/database';

/** The last migration of a site's tables by service: `{ content: '0072-terms' }`. */
export type SiteVersion = Readonly<Record<string, string>>;

export interface RecordedVersion {
  version: SiteVersion;
  /** Why the last attempt failed; null after a success. */
  error: string | null;
}

/** A migration that older programs cannot work with. */
export interface BreakingMigration {
  service: string;
  name: string;
}

/** The services whose tables lack migrations of a program. Tables of a newer program lack none. */
export const servicesBehind = (recorded: SiteVersion, own: SiteVersion): string[] =>
  Object.keys(own).filter((service) => (recorded[service] ?? '') < (own[service] ?? ''));

/** The recorded versions of all sites, by their ids; a site that no program with records has migrated has none. */
export async function selectSiteVersions(sql: Queryable): Promise<Map<string, RecordedVersion>> {
  const rows = await sql.query<RecordedVersion & { tenantId: string }>(
    'SELECT tenant_id AS "tenantId", version, error FROM site_versions',
  );
  return new Map(rows.map(({ tenantId, version, error }) => [tenantId, { version, error }]));
}

/** Records a successful migration. A service never gets an earlier version: an older program leaves newer tables. */
export async function recordSiteVersion(
  sql: Queryable,
  tenantId: string,
  version: SiteVersion,
): Promise<void> {
  await sql.query(
    `INSERT INTO site_versions AS known (tenant_id, version) SELECT id, $2::jsonb FROM tenants WHERE id = $1
     ON CONFLICT (tenant_id) DO UPDATE SET error = NULL, updated_at = now(), version = (
       SELECT jsonb_object_agg(key, name) FROM (
         SELECT key, max(value COLLATE "C") AS name FROM (
           SELECT * FROM jsonb_each_text(known.version) UNION ALL SELECT * FROM jsonb_each_text($2::jsonb)
         ) both_versions GROUP BY key
       ) latest
     )`,
    [tenantId, JSON.stringify(version)],
  );
}

/** Records why a site could not be migrated. */
export async function recordSiteFailure(sql: Queryable, tenantId: string, error: string): Promise<void> {
  await sql.query(
    `INSERT INTO site_versions (tenant_id, error) SELECT id, $2 FROM tenants WHERE id = $1
     ON CONFLICT (tenant_id) DO UPDATE SET error = EXCLUDED.error, updated_at = now()`,
    [tenantId, error],
  );
}

/** The breaking migrations that programs have applied to this installation. */
export const selectBreakingMigrations = (sql: Queryable): Promise<BreakingMigration[]> =>
  sql.query<BreakingMigration>('SELECT service, name FROM breaking_migrations ORDER BY service, name');

/** Records breaking migrations before they are applied. */
export async function insertBreakingMigrations(
  sql: Queryable,
  migrations: readonly BreakingMigration[],
): Promise<void> {
  await sql.query(
    `INSERT INTO breaking_migrations (service, name)
     SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    [migrations.map(({ service }) => service), migrations.map(({ name }) => name)],
  );
}
