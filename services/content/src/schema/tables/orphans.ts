import type { FieldType } from '@quire/content-model';
import { identifier, type Sql } from '@quire/database';
import { contentTableName, contentTablePrefix } from './content-table.js';

/** System columns of a collection's table; every other column is a field's. */
const systemColumns = new Set([
  'id',
  'slug',
  'status',
  'author_id',
  'primary_byline_id',
  'created_at',
  'updated_at',
  'published_at',
  'scheduled_at',
  'deleted_at',
  'version',
  'live_revision_id',
  'draft_revision_id',
  '_locale',
  '_translation_group',
  '_seo',
]);

/** Field types that a column of unknown origin becomes (contract 14, Orphaned tables). */
const typeOfColumn: Record<string, FieldType> = {
  text: 'text',
  'double precision': 'number',
  bigint: 'integer',
  smallint: 'boolean',
  'timestamp with time zone': 'datetime',
  json: 'json',
  jsonb: 'json',
};

export interface OrphanedTable {
  slug: string;
  tableName: string;
  rowCount: number;
}

export interface OrphanColumns {
  /** System columns that the table lacks. */
  missing: string[];
  fields: { slug: string; type: FieldType }[];
  /** Columns of a type that no field has. */
  unusable: string[];
}

/** Content tables of this tenant without a collection. */
export async function findOrphans(sql: Sql): Promise<OrphanedTable[]> {
  const tables = await sql.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND starts_with(tablename, $1) ORDER BY tablename`,
    [contentTablePrefix],
  );
  const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections');
  const owned = new Set(collections.map(({ slug }) => contentTableName(slug)));
  const orphans: OrphanedTable[] = [];
  for (const { name } of tables.filter(({ name }) => !owned.has(name))) {
    const [counted] = await sql.query<{ count: number }>(`SELECT count(*) AS count FROM ${identifier(name)}`);
    orphans.push({
      slug: name.slice(contentTablePrefix.length),
      tableName: name,
      rowCount: counted?.count ?? 0,
    });
  }
  return orphans;
}

/** What an orphaned table has to offer as a collection's. */
export async function columnsOfOrphan(sql: Sql, table: string): Promise<OrphanColumns> {
  const columns = await sql.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  );
  const names = new Set(columns.map(({ name }) => name));
  const own = columns.filter(({ name }) => !systemColumns.has(name));
  return {
    missing: [...systemColumns].filter((name) => !names.has(name)),
    fields: own.flatMap(({ name, type }) => {
      const fieldType = typeOfColumn[type];
      return fieldType ? [{ slug: name, type: fieldType }] : [];
    }),
    unusable: own.filter(({ type }) => !typeOfColumn[type]).map(({ name }) => name),
  };
}
