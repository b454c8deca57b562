import { Database, migrate, type TransactionalDatabase } from '@quire/database';
import { registryMigrations } from './registry-migrations.js';

/** The tables of a registry of a spec. */
export interface TestRegistry {
  sql: TransactionalDatabase;
  /** Drops the tables. */
  close(): Promise<void>;
}

/** Creates the tables of a registry. @param schema unique name */
export async function openTestRegistry(databaseUrl: string, schema: string): Promise<TestRegistry> {
  const database = await Database.connect({ url: databaseUrl, poolSize: 2, applicationName: schema });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`CREATE SCHEMA ${schema}`);
  const sql = database.inSchema(schema);
  await migrate(sql, { schema, service: 'registry', migrations: registryMigrations });
  return {
    sql,
    async close() {
      await catalog.query(`DROP SCHEMA ${schema} CASCADE`);
      await database.close();
    },
  };
}
