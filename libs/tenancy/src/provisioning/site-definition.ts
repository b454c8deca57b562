import {
  schemaStatements,
  type SchemaDefinition,
  type SchemaStatements,
  type TriggerDefinition,
} from '@quire/database';
import { tenantSchema, type Tenant } from '../registry/tenant.js';

/**
 * The statements that create the tables of a site as another one has them. They run in the schema of the new site, as
 * its role.
 * @param definition of the schema of any site
 * @throws Error for a trigger whose message is not that of its site
 */
export function siteStatements(definition: SchemaDefinition, tenant: Pick<Tenant, 'id'>): SchemaStatements {
  return schemaStatements(definition, {
    schema: tenantSchema(tenant),
    argumentsOf: (trigger) => argumentsFor(trigger, definition.schema, tenant),
  });
}

/** Functions of the schemas across sites write a message: the job and the site are their first arguments. */
function argumentsFor(
  trigger: TriggerDefinition,
  schema: string,
  tenant: Pick<Tenant, 'id'>,
): readonly string[] {
  if (trigger.functionSchema === null) return trigger.arguments;
  const [job, id, ...facts] = trigger.arguments;
  if (job === undefined || id === undefined || tenantSchema({ id }) !== schema)
    throw new Error(`The trigger does not name its site ${schema}: ${trigger.text}`);
  return [job, tenant.id, ...facts];
}
