import pg from 'pg';
import { databaseName, superuser } from './cluster.js';

/** The login of Quire on its own PostgreSQL: it may create roles and schemas, and is no superuser. */
export const login = 'quire_app';

/** Schemas that belong to the superuser: an earlier Quire had no other login. */
const superuserSchemasSql = `
  SELECT nspname AS name FROM pg_namespace
  WHERE nspowner = '${superuser}'::regrole AND nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')`;

const createLoginSql = (password: string) => `
  SELECT pg_advisory_xact_lock(hashtextextended('${login}', 0));
  DO $do$ BEGIN
    IF to_regrole('${login}') IS NULL THEN
      EXECUTE format('CREATE ROLE ${login} LOGIN CREATEROLE PASSWORD %L', ${password});
      ALTER DATABASE ${databaseName} OWNER TO ${login};
    END IF;
  END $do$`;

/** Gives the login a schema with everything in it. Indexes, sequences of columns and types of tables follow. */
const transferOwnershipSql = (schema: string) => `DO $do$
DECLARE part text;
BEGIN
  FOR part IN
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE ' WHEN 'v' THEN 'VIEW ' WHEN 'm' THEN 'MATERIALIZED VIEW ' ELSE 'TABLE ' END
      || oid::regclass
    FROM pg_class c WHERE relnamespace = ${schema}::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE c.relkind = 'S' AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND d.deptype IN ('a', 'i'))
    UNION ALL SELECT 'ROUTINE ' || oid::regprocedure FROM pg_proc WHERE pronamespace = ${schema}::regnamespace
    UNION ALL SELECT 'TYPE ' || oid::regtype FROM pg_type WHERE typnamespace = ${schema}::regnamespace AND typtype IN ('e', 'd')
  LOOP
    EXECUTE format('ALTER %s OWNER TO ${login}', part);
  END LOOP;
  EXECUTE format('ALTER SCHEMA %s OWNER TO ${login}', ${schema}::regnamespace);
END $do$`;

/**
 * Creates the login of Quire on its own PostgreSQL, and gives it the schemas that an earlier Quire created as the
 * superuser.
 * @param url the superuser's address
 * @returns the login's address
 */
export async function ensureLogin(url: string): Promise<string> {
  const address = new URL(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(createLoginSql(pg.escapeLiteral(decodeURIComponent(address.password))));
    const { rows } = await client.query<{ name: string }>(superuserSchemasSql);
    // In sequence: all tables of many sites are more than one transaction can lock.
    for (const { name } of rows)
      await client.query(transferOwnershipSql(pg.escapeLiteral(pg.escapeIdentifier(name))));
  } finally {
    await client.end();
  }
  return Object.assign(address, { username: login }).href;
}
