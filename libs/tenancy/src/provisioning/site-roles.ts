import { ConfigurationError } from '@quire/config';
import {
  hasSqlState,
  identifier,
  literal,
  sqlState,
  type Queryable,
  type TransactionalDatabase,
} from '@quire/database';
import { tenantSchema, type Tenant } from '../registry/tenant.js';

/** Before PostgreSQL 16 a login that may switch to a role also inherits its rights. */
const minVersion = 160_000;
const versionDivisor = 10_000;

/**
 * Roles belong to a whole cluster and databases to installations, so names begin with a hash of the database's name. A
 * tenant id has no `_`: the id of a site is the part after the last one.
 */
const prefix = `'quire_' || left(encode(sha256(convert_to(current_database(), 'UTF8')), 'hex'), 8)`;

interface Login {
  name: string;
  isSuperuser: boolean;
  canCreateRoles: boolean;
  version: number;
  /** The role that all sites of the database are members of. */
  group: string;
  hasGroup: boolean;
}

interface SiteState {
  id: string;
  role: string;
  hasRole: boolean;
  hasSchema: boolean;
  isOwner: boolean;
  isInGroup: boolean;
  canLoginTake: boolean;
  canServingTake: boolean;
}

/**
 * Creates a site's schema and a role that owns the schema and its contents, if missing. The role cannot log in: the
 * provisioning and the serving login can switch to it, and have none of its rights otherwise.
 * @param sql the database outside any site
 * @param servingRole the serving login, when it differs from this one
 * @throws ConfigurationError when the login lacks the rights, or PostgreSQL is too old
 */
export async function ensureSite(
  sql: TransactionalDatabase,
  tenant: Pick<Tenant, 'id'>,
  servingRole: string | undefined,
): Promise<void> {
  if (isComplete(await selectSite(sql, tenant, servingRole))) return;
  const login = await sql.transaction((tx) => ensureGroup(tx));
  await explainInsufficientPrivilege(login, () =>
    sql.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`site-role:${tenant.id}`]);
      await completeSite(tx, tenant, login, servingRole);
    }),
  );
}

/**
 * Removes a site's role after its schema. A login that may not drop roles leaves it: it owns nothing any more, and a
 * site that gets the id later gets the role too.
 */
export async function deleteSiteRole(sql: Queryable, tenant: Pick<Tenant, 'id'>): Promise<void> {
  const { role, hasRole } = await selectSite(sql, tenant, undefined);
  if (!hasRole) return;
  try {
    await sql.query(`DROP ROLE IF EXISTS ${identifier(role)}`);
  } catch (error) {
    // A copy of the database in the same cluster may have a site of this role, too.
    if (!hasSqlState(error, sqlState.dependentObjects, sqlState.insufficientPrivilege)) throw error;
  }
}

/**
 * The role that all sites of a database are members of; created if missing. Waits for concurrent transactions that call
 * this.
 * @throws ConfigurationError when the login may not create it, or PostgreSQL is too old
 */
export async function ensureGroup(tx: Queryable): Promise<Login> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('site-role-group', 0))");
  const [login] = await tx.query<Login>(
    `SELECT rolname AS name, rolsuper AS "isSuperuser", rolsuper OR rolcreaterole AS "canCreateRoles",
       current_setting('server_version_num')::integer AS version,
       ${prefix} || '_sites' AS "group", to_regrole(${prefix} || '_sites') IS NOT NULL AS "hasGroup"
     FROM pg_roles WHERE rolname = current_user`,
  );
  if (!login) throw new Error('The login is no role');
  const { version, name, group } = login;
  if (version < minVersion) throw unusable(`PostgreSQL ${Math.floor(version / versionDivisor)} is too old`);
  if (login.hasGroup) return login;
  if (!login.canCreateRoles) throw unusable(`the login ${name} may not create roles`);
  await tx.query(`CREATE ROLE ${identifier(group)} NOLOGIN`);
  return login;
}

async function selectSite(
  sql: Queryable,
  tenant: Pick<Tenant, 'id'>,
  servingRole: string | undefined,
): Promise<SiteState> {
  const [state] = await selectSites(sql, [tenant], servingRole);
  if (!state) throw new Error('SELECT without a condition returned no row');
  return state;
}

/** Ids of the sites whose schema or role is missing or incomplete, by one statement. */
export async function selectIncompleteSites(
  sql: Queryable,
  tenants: readonly Pick<Tenant, 'id'>[],
  { hasSiteRoles, servingRole }: { hasSiteRoles: boolean; servingRole: string | undefined },
): Promise<string[]> {
  const states = await selectSites(sql, tenants, servingRole);
  const isWhole = (state: SiteState) => (hasSiteRoles ? isComplete(state) : state.hasSchema);
  return states.filter((state) => !isWhole(state)).map(({ id }) => id);
}

function selectSites(
  sql: Queryable,
  tenants: readonly Pick<Tenant, 'id'>[],
  servingRole: string | undefined,
): Promise<SiteState[]> {
  return sql.query<SiteState>(
    `SELECT id, role, own IS NOT NULL AS "hasRole", place.oid IS NOT NULL AS "hasSchema",
       coalesce(place.nspowner = own, false) AS "isOwner",
       coalesce(pg_has_role(own, sites, 'USAGE'), false) AS "isInGroup",
       ${canTake('current_user')} AS "canLoginTake",
       CASE WHEN $2::name IS NULL THEN true ELSE ${canTake('$2::name')} END AS "canServingTake"
     FROM (SELECT id, schema, role, to_regrole(quote_ident(role))::oid AS own, to_regrole(sites)::oid AS sites
         FROM (SELECT id, schema, ${prefix} || '_site_' || id AS role, ${prefix} || '_sites' AS sites
           FROM unnest($1::text[], $3::text[]) AS given (id, schema)) names) wanted
       LEFT JOIN pg_namespace place ON place.nspname = schema`,
    [tenants.map(({ id }) => id), servingRole ?? null, tenants.map(tenantSchema)],
  );
}

/** Whether a role may switch to the site's role; older servers do not support the check. */
const canTake = (role: string) =>
  `CASE WHEN current_setting('server_version_num')::integer < ${minVersion} THEN false
    ELSE coalesce(pg_has_role(${role}, own, 'SET'), false) END`;

const isComplete = ({ isOwner, isInGroup, canLoginTake, canServingTake }: SiteState) =>
  isOwner && isInGroup && canLoginTake && canServingTake;

async function completeSite(
  tx: Queryable,
  tenant: Pick<Tenant, 'id'>,
  login: Login,
  servingRole: string | undefined,
): Promise<void> {
  const state = await selectSite(tx, tenant, servingRole);
  const [role, schema] = [identifier(state.role), identifier(tenantSchema(tenant))];
  const grantTo = (taker: string) =>
    tx.query(`GRANT ${role} TO ${identifier(taker)} WITH INHERIT FALSE, SET TRUE`);
  if (!state.hasRole) await tx.query(`CREATE ROLE ${role} NOLOGIN`);
  if (!state.isInGroup)
    await tx.query(`GRANT ${identifier(login.group)} TO ${role} WITH INHERIT TRUE, SET FALSE`);
  if (!state.canLoginTake && !login.isSuperuser) await grantTo(login.name);
  if (!state.canServingTake && servingRole !== undefined) await grantTo(servingRole);
  if (!state.hasSchema) await tx.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${role}`);
  else if (!state.isOwner) await tx.query(transfer(tenantSchema(tenant), state.role));
}

/** Makes a role the owner of a schema and its contents. Indexes, and sequences of columns, follow their tables. */
const transfer = (schema: string, role: string) => `DO $do$
DECLARE
  site constant regnamespace := ${literal(identifier(schema))}::regnamespace;
  part text;
BEGIN
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %s TO %I', site, ${literal(role)});
  FOR part IN
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE ' WHEN 'v' THEN 'VIEW ' WHEN 'm' THEN 'MATERIALIZED VIEW ' ELSE 'TABLE ' END
      || oid::regclass
    FROM pg_class c WHERE relnamespace = site AND relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE c.relkind = 'S' AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND d.deptype IN ('a', 'i'))
    UNION ALL SELECT 'ROUTINE ' || oid::regprocedure FROM pg_proc WHERE pronamespace = site
  LOOP
    EXECUTE format('ALTER %s OWNER TO %I', part, ${literal(role)});
  END LOOP;
  EXECUTE format('ALTER SCHEMA %s OWNER TO %I', site, ${literal(role)});
END $do$`;

async function explainInsufficientPrivilege({ name }: Login, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!hasSqlState(error, sqlState.insufficientPrivilege)) throw error;
    throw unusable(`the login ${name} may not make it (${error.message})`, error);
  }
}

function unusable(reason: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    `A site cannot have a database role of its own: ${reason}. see docs/database.md, or set CMS_DATABASE_ROLES=off`,
    { cause },
  );
}
