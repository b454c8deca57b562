import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseOptions } from '../connection/database.js';

/**
 * The statements with which TypeORM would bring a schema's fixed tables to the state of the entities: none when
 * migrations and entities agree. Tables without an entity are ignored.
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
