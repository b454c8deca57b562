import { randomBytes } from 'node:crypto';
import {
  createFromBaseline,
  migrate,
  readBaseline,
  type Migration,
  type SchemaDefinition,
  UnsupportedSchemaError,
} from '@quire/database';
import type { ServiceDatabases } from '../connection/service-databases.js';
import { tenantSchema, type Tenant } from '../registry/tenant.js';
import { siteStatements } from './site-definition.js';

/** Definitions of the tables of sites, by the migrations of a service. */
const definitions = new WeakMap<readonly Migration[], Promise<SchemaDefinition | undefined>>();
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
  const baseline = await baselineOf(databases, migrations);
  if (!baseline) return migrate(sql, target);
  const { beforeRows, afterRows } = siteStatements(baseline, tenant);
  return createFromBaseline(sql, target, [...beforeRows, ...afterRows]);
}

/** The definition is the same in all databases; undefined for tables with parts that it cannot have. */
function baselineOf(
  databases: ServiceDatabases,
  migrations: readonly Migration[],
): Promise<SchemaDefinition | undefined> {
  const known = definitions.get(migrations);
  if (known) return known;
  // Triggers name the site of their schema.
  const schema = tenantSchema({ id: `baseline-${randomBytes(4).toString('hex')}` });
  const read = readBaseline(databases.inSchema(schema), { schema, migrations }).catch((error: unknown) => {
    if (error instanceof UnsupportedSchemaError) return undefined;
    definitions.delete(migrations);
    throw error;
  });
  definitions.set(migrations, read);
  return read;
}
