import { randomBytes } from 'node:crypto';
import {
  createFromBaseline,
  migrate,
  readBaseline,
  type Migration,
  type SchemaDefinition,
} from '@quire/database';
import type { ServiceDatabases } from '../connection/service-databases.js';
import { tenantSchema, type Tenant } from '../registry/tenant.js';
import { siteStatements } from './site-definition.js';

/** Definitions of the tables of sites, by the migrations of a service. */
const definitions = new WeakMap<readonly Migration[], Promise<SchemaDefinition>>();
/** Services that have created the tables of a site in this process. */
const created = new WeakSet<readonly Migration[]>();

/**
 * Applies the missing migrations of a service to a site. The first new site of a process gets them one by one. For the
 * further ones the process reads the definition of the tables once, which creates them in a fraction of the time.
 * @returns the names of the applied migrations
 */
export async function migrateSite(
  databases: ServiceDatabases,
  migrations: readonly Migration[],
  tenant: Tenant,
): Promise<string[]> {
  const { service } = databases;
  const target = { schema: tenantSchema(tenant), service, migrations };
  const sql = databases.tenant(tenant);
  if (!created.has(migrations)) {
    const applied = await migrate(sql, target);
    if (applied.length === migrations.length) created.add(migrations);
    return applied;
  }
  const { beforeRows, afterRows } = siteStatements(await baselineOf(databases, migrations), tenant);
  return createFromBaseline(sql, target, [...beforeRows, ...afterRows]);
}

/** The definition is the same in all databases. */
function baselineOf(
  databases: ServiceDatabases,
  migrations: readonly Migration[],
): Promise<SchemaDefinition> {
  const known = definitions.get(migrations);
  if (known) return known;
  // Triggers name the site of their schema.
  const schema = tenantSchema({ id: `baseline-${randomBytes(4).toString('hex')}` });
  const read = readBaseline(databases.inSchema(schema), { schema, migrations });
  definitions.set(migrations, read);
  read.catch(() => definitions.delete(migrations));
  return read;
}
