import type { TransactionalDatabase } from '../connection/sql.js';
import { readSchemaDefinition } from '../schema-definition/read-schema-definition.js';
import type { SchemaDefinition } from '../schema-definition/schema-definition.js';
import { identifier } from '../statements/identifiers.js';
import { migrate, openLedger, type MigrationTarget } from './migrate.js';

/**
 * Reads the tables that all migrations create, without rows. It applies them to a new schema in a transaction that is
 * rolled back.
 * @param sql statements in a schema that does not exist, as a login that may create it
 */
export async function readBaseline(
  sql: TransactionalDatabase,
  { schema, migrations }: Pick<MigrationTarget, 'schema' | 'migrations'>,
): Promise<SchemaDefinition> {
  let definition: SchemaDefinition | undefined;
  await sql
    .transaction(async (tx) => {
      await tx.query('SET LOCAL statement_timeout = 0');
      await tx.query(`CREATE SCHEMA ${identifier(schema)}`);
      for (const { up } of migrations) await up(tx);
      definition = await readSchemaDefinition(tx);
      throw new RollBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error;
    });
  if (!definition) throw new Error('The migrations were not applied');
  return definition;
}

class RollBack extends Error {}

/**
 * Creates the tables of all migrations of a service at once, with the rows of a new site, if it has none of them.
 * @param statements create the tables of `readBaseline`
 * @returns the names of the applied migrations
 */
export async function createFromBaseline(
  sql: TransactionalDatabase,
  target: MigrationTarget,
  statements: readonly string[],
): Promise<string[]> {
  const { service, migrations } = target;
  const names = migrations.map(({ name }) => name);
  const isCreated = await sql.transaction(async (tx) => {
    if ((await openLedger(tx, target)).size > 0) return false;
    await tx.query(statements.join(';\n'));
    for (const { seed } of migrations) await seed?.(tx);
    await tx.query('INSERT INTO _migrations (service, name) SELECT $1, unnest($2::text[])', [service, names]);
    return true;
  });
  return isCreated ? names : migrate(sql, target);
}
