import { allowLongStatements, identifier, type Queryable, type Transaction } from '@quire/database';
import type { ServiceDatabases } from '../connection/service-databases.js';
import { tenantSchema, type Tenant } from '../registry/tenant.js';
import { ensureSchema } from './provisioning.js';

/** Name of the schema that a site had before. No site has such a name. */
const formerSchema = ({ id }: Pick<Tenant, 'id'>) => `former_site_${id}`;

/**
 * Runs `work` in an empty schema of a site, in one transaction with the rights of the site. Its commit makes the schema
 * that of the site. Until then, and after a failure, others find the present one, and do not wait. `dropFormerSite`
 * deletes the former one.
 * @throws ConfigurationError when the site needs a database role that the login cannot create
 */
export async function replaceSite<Result>(
  databases: ServiceDatabases,
  tenant: Tenant,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  await ensureSchema(databases, tenant);
  await dropFormerSite(databases, tenant);
  return databases.inSchema('pg_catalog', tenant.database).transaction(async (tx) => {
    await allowLongStatements(tx);
    await renameSchema(tx, tenant);
    return work(tx);
  });
}

/** Deletes what `replaceSite` has left of a site. Repeating it changes nothing. @returns whether there was anything */
export async function dropFormerSite(databases: ServiceDatabases, tenant: Tenant): Promise<boolean> {
  const catalog = databases.inSchema('pg_catalog', tenant.database);
  const former = formerSchema(tenant);
  const [found] = await catalog.query('SELECT FROM pg_namespace WHERE nspname = $1', [former]);
  if (!found) return false;
  // Its owner is the role of the site.
  await databases.tenant(tenant).transaction(async (tx) => {
    await allowLongStatements(tx);
    await tx.query(`DROP SCHEMA ${identifier(former)} CASCADE`);
  });
  return true;
}

/** Whether a site has a schema with tables. */
export async function hasTables(databases: ServiceDatabases, tenant: Tenant): Promise<boolean> {
  const tables = await databases.inSchema('pg_catalog', tenant.database).query(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' LIMIT 1`,
    [tenantSchema(tenant)],
  );
  return tables.length > 0;
}

/**
 * Only a login with the rights of the owner that may also create schemas can rename one. The login may only switch to
 * the role of the site, so it has the rights of the role for the moment.
 */
async function renameSchema(tx: Queryable, tenant: Tenant): Promise<void> {
  const schema = identifier(tenantSchema(tenant));
  const [place] = await tx.query<{ owner: string; login: string; isMember: boolean }>(
    `SELECT pg_get_userbyid(nspowner) AS owner, current_user AS login,
       pg_has_role(nspowner, 'USAGE') AS "isMember" FROM pg_namespace WHERE nspname = $1`,
    [tenantSchema(tenant)],
  );
  if (!place) throw new Error(`There is no schema ${schema}`);
  const owner = identifier(place.owner);
  const inherit = async (option: 'TRUE' | 'FALSE') => {
    if (!place.isMember)
      await tx.query(`GRANT ${owner} TO ${identifier(place.login)} WITH INHERIT ${option}`);
  };
  await inherit('TRUE');
  await tx.query(`ALTER SCHEMA ${schema} RENAME TO ${identifier(formerSchema(tenant))}`);
  await tx.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${owner}`);
  await inherit('FALSE');
  await tx.query(`SET LOCAL search_path TO ${schema}`);
  await tx.query(`SET LOCAL ROLE ${owner}`);
}
