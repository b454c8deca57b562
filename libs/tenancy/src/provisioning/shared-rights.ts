import { identifier, literal, type Queryable } from '@quire/database';
import { ensureGroup } from './site-roles.js';

/** The site whose role runs the statement; see the names of `site-roles`. */
const currentSite = `substring(current_user::text from '_site_([a-z0-9-]+)$')`;

/**
 * Grants sites their rights in a service's schema across sites: to the rows with their `tenant_id`, to sequences, and
 * to insert messages into the outbox. Existing grants are skipped, since granting locks tables.
 * @throws ConfigurationError see `ensureGroup`
 */
export async function grantSites(tx: Queryable, schema: string): Promise<void> {
  const { group } = await ensureGroup(tx);
  await tx.query(`DO $do$
DECLARE
  shared record;
  sites constant name := ${literal(group)};
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', ${literal(schema)}, sites);
  FOR shared IN
    SELECT c.oid::regclass AS name, c.relkind = 'S' AS is_sequence, c.relname = 'outbox' AS is_outbox
    FROM pg_class c
    WHERE c.relnamespace = ${literal(identifier(schema))}::regnamespace
      AND (c.relkind = 'S' OR c.relkind = 'r' AND (c.relname = 'outbox' OR EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)))
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND sites::regrole::oid = ANY (p.polroles))
  LOOP
    IF shared.is_sequence THEN
      EXECUTE format('GRANT USAGE ON SEQUENCE %s TO %I', shared.name, sites);
      CONTINUE;
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', shared.name);
    IF shared.is_outbox THEN
      EXECUTE format('GRANT INSERT ON %s TO %I', shared.name, sites);
      EXECUTE format('CREATE POLICY %I ON %s FOR INSERT TO %I WITH CHECK (message ->> ''tenantId'' = %s)',
        sites, shared.name, sites, ${literal(currentSite)});
    ELSE
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', shared.name, sites);
      EXECUTE format('CREATE POLICY %I ON %s TO %I USING (tenant_id = %s)',
        sites, shared.name, sites, ${literal(currentSite)});
    END IF;
  END LOOP;
END $do$`);
}

/** Grants the serving role its rights to all rows of a schema across sites. */
export async function grantServing(tx: Queryable, schema: string, servingRole: string): Promise<void> {
  await tx.query(`DO $do$
DECLARE
  guarded regclass;
  serving constant name := ${literal(servingRole)};
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', ${literal(schema)}, serving);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO %I', ${literal(schema)}, serving);
  EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO %I', ${literal(schema)}, serving);
  FOR guarded IN
    SELECT oid FROM pg_class c WHERE relnamespace = ${literal(identifier(schema))}::regnamespace AND relrowsecurity
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND serving::regrole::oid = ANY (p.polroles))
  LOOP
    EXECUTE format('CREATE POLICY %I ON %s TO %I USING (true)', serving, guarded, serving);
  END LOOP;
END $do$`);
}
