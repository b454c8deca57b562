import { join } from 'node:path';
import pg from 'pg';
import type { Site } from '../systems.js';

const restored = 'bench_restored';

interface Table {
  name: string;
  indexes: string[];
}

/**
 * Copies all tables of a site into files and from there into other tables, whose indexes follow, as pg_dump and
 * pg_restore do.
 * @returns the seconds of each
 */
export async function copyDatabase({
  databaseUrl,
  schema,
}: Site): Promise<{ dump: number; restore: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await listTables(client, schema);
    const folder = await dataDirectory(client);
    const fileOf = ({ name }: Table) => `'${join(folder, `bench-${name}.copy`).replaceAll("'", "''")}'`;
    const dump = await seconds(async () => {
      for (const table of tables) await client.query(`COPY "${schema}"."${table.name}" TO ${fileOf(table)}`);
    });
    const restore = await seconds(async () => {
      await client.query(`CREATE SCHEMA ${restored}`);
      for (const table of tables) await restoreTable(client, { schema, table, file: fileOf(table) });
    });
    await client.query(`DROP SCHEMA ${restored} CASCADE`);
    return { dump, restore };
  } finally {
    await client.end();
  }
}

async function listTables(client: pg.Client, schema: string): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT t.tablename AS name,
       array(SELECT i.indexdef FROM pg_indexes i WHERE i.schemaname = $1 AND i.tablename = t.tablename) AS indexes
     FROM pg_tables t WHERE t.schemaname = $1`,
    [schema],
  );
  return rows;
}

async function restoreTable(
  client: pg.Client,
  { schema, table: { name, indexes }, file }: { schema: string; table: Table; file: string },
): Promise<void> {
  const target = `${restored}."${name}"`;
  await client.query(`CREATE TABLE ${target} (LIKE "${schema}"."${name}")`);
  await client.query(`COPY ${target} FROM ${file}`);
  const spellings = [`ON "${schema}".`, `ON ${schema}.`];
  for (const index of indexes)
    await client.query(spellings.reduce((sql, spelling) => sql.replace(spelling, `ON ${restored}.`), index));
}

/** The server writes the files, as another user that may write nowhere else. */
async function dataDirectory(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  return rows[0]?.data_directory ?? '';
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
