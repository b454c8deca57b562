import pg from 'pg';
import type { Site } from './open-site.js';

/** Creates a table in a site's schema, owned by its role, with columns as in CREATE TABLE. */
export async function createSiteTable(site: Site, name: string, columns: string): Promise<void> {
  await site.sql(`CREATE TABLE ${pg.escapeIdentifier(name)} (${columns})`);
  await site.sql(`DO $do$ BEGIN
    EXECUTE format('ALTER TABLE %I OWNER TO %I', ${pg.escapeLiteral(name)},
      (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = current_schema()));
  END $do$`);
}
