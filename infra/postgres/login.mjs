import { databaseName, superuser } from './cluster.mjs';

/** The login of Quire on its own PostgreSQL: it may make roles and schemas, and is no superuser. */
export const login = 'quire_app';

/** Schemas that the superuser made: those of a Quire that was no other login yet. */
const superuserSchemasSql = `
  SELECT nspname AS name FROM pg_namespace
  WHERE nspowner = '${superuser}'::regrole AND nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')`;

const createLoginSql = (password) => `
  SELECT pg_advisory_xact_lock(hashtextextended('${login}', 0));
  DO $do$ BEGIN
    IF to_regrole('${login}') IS NULL THEN
      EXECUTE format('CREATE ROLE ${login} LOGIN CREATEROLE PASSWORD %L', ${password});
      ALTER DATABASE ${databaseName} OWNER TO ${login};
    END IF;
  END $do$`;

/** Gives the login a schema with everything in it. Indexes, sequences of columns and types of tables follow. */
const transferOwnershipSql = (schema) => `DO $do$
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
 * Sees to it that Quire has a login on its own PostgreSQL, which owns what an earlier Quire made as the superuser.
 * @param {string} url the superuser's address
 * @returns {Promise<string>} the login's address
 */
export async function ensureLogin(url) {
  const { default: pg } = await import('pg');
  const address = new URL(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(createLoginSql(pg.escapeLiteral(decodeURIComponent(address.password))));
    const { rows } = await client.query(superuserSchemasSql);
    // One after the other: all tables of many sites are more than one transaction can lock.
    for (const { name } of rows)
      await client.query(transferOwnershipSql(pg.escapeLiteral(pg.escapeIdentifier(name))));
  } finally {
    await client.end();
  }
  return Object.assign(address, { username: login }).href;
}
