import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseOptions } from '../connection/database.js';

/**
 * The statements TypeORM would run to bring a schema's fixed tables to what the entities say: none when migrations and
 * entities agree. Tables that no entity describes are not looked at.
 */
export async function schemaDrift(options: DatabaseOptions, schema: string): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: options.entities ?? [],
    synchronize: false,
    installExtensions: false,
    poolSize: 1,
    extra: { options: `-c search_path=${schema}` },
  } as DataSourceOptions);
  await dataSource.initialize();
  try {
    const statements = await dataSource.driver.createSchemaBuilder().log();
    return statements.upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}
