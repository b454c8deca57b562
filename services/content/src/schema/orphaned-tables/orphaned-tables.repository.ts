import { columnType, indexableTypes, type FieldType } from '@quire/content-model';
import { identifier, likeStarting, type Queryable } from '@quire/database';
import { startCounting } from '../content-changes/content-changes.repository.js';
import {
  addSystemColumns,
  contentTableName,
  contentTablePrefix,
  createPrimaryKey,
  ensureSystemRules,
  orderIndexName,
  systemColumns,
  uniqueIndexName,
} from '../tables/content-table.repository.js';

/** The field type of a column by its type (contract 14, Orphaned tables). */
const typeOfColumn: Record<string, FieldType> = {
  text: 'text',
  'character varying': 'text',
  'double precision': 'number',
  real: 'number',
  bigint: 'integer',
  integer: 'integer',
  smallint: 'boolean',
  'timestamp with time zone': 'datetime',
  json: 'json',
  jsonb: 'json',
};

/** PostgreSQL's full names of abbreviated column types. */
const fullNames: Record<string, string> = { 'timestamptz(3)': 'timestamp(3) with time zone' };
const withoutPrecision = (type: string) => (fullNames[type] ?? type).replace(/\(\d+\)/, '');

export interface OrphanedTable {
  slug: string;
  tableName: string;
  rowCount: number;
}

export interface OrphanField {
  slug: string;
  type: FieldType;
  unique: boolean;
  indexed: boolean;
}

/** An orphaned table as a candidate for a collection. */
export interface Orphan {
  tableName: string;
  columns: readonly OrphanColumn[];
  fields: readonly OrphanField[];
  /** Columns of the primary key. */
  key: readonly string[];
  /** Required system columns that the table lacks. */
  missing: readonly string[];
  /** System columns of another type than that of entries. */
  mistyped: readonly string[];
  /** Columns that no field can have: of an unsupported type, or computed by the database. */
  unusable: readonly string[];
}

interface OrphanColumn {
  name: string;
  /** Type without length and precision. */
  type: string;
  /** Type as it was declared. */
  declared: string;
  isComputed: boolean;
}

/** @returns the content tables of this tenant without a collection, except those that another role owns. */
export async function selectOrphans(sql: Queryable): Promise<OrphanedTable[]> {
  const tables = await sql.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tableowner = current_user AND tablename LIKE $1 ORDER BY tablename`,
    [likeStarting(contentTablePrefix)],
  );
  const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections');
  const tablesOfCollections = new Set(collections.map(({ slug }) => contentTableName(slug)));
  const orphans: OrphanedTable[] = [];
  for (const { name } of tables.filter(({ name }) => !tablesOfCollections.has(name))) {
    const [counted] = await sql.query<{ count: number }>(`SELECT count(*) AS count FROM ${identifier(name)}`);
    orphans.push({
      slug: name.slice(contentTablePrefix.length),
      tableName: name,
      rowCount: counted?.count ?? 0,
    });
  }
  return orphans;
}

/** @returns the columns, fields and flaws of a table, or undefined when it does not exist. */
export async function inspectOrphan(sql: Queryable, tableName: string): Promise<Orphan | undefined> {
  const columns = await sql.query<OrphanColumn>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, format_type(a.atttypid, a.atttypmod) AS declared,
       a.attgenerated <> '' OR a.attidentity <> '' AS "isComputed"
     FROM pg_attribute a
       JOIN pg_tables t ON t.tablename = $1 AND t.schemaname = current_schema() AND t.tableowner = current_user
     WHERE a.attrelid = to_regclass($2) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [tableName, identifier(tableName)],
  );
  if (columns.length === 0) return undefined;
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  const isSystem = (name: string) => systemColumns.some((column) => column.name === name);
  const own = columns.filter(({ name }) => !isSystem(name));
  const indexes = await indexNames(sql, tableName);
  return {
    tableName,
    columns,
    fields: own.flatMap((column) => fieldOf(tableName, column, indexes)),
    key: await primaryKey(sql, tableName),
    missing: systemColumns
      .filter(({ name, isAddable }) => !isAddable && !typeOf.has(name))
      .map(({ name }) => name),
    mistyped: systemColumns
      .filter(({ name, type }) => typeOf.has(name) && typeOf.get(name) !== withoutPrecision(type))
      .map(({ name }) => name),
    unusable: own.filter(({ type, isComputed }) => isComputed || !typeOfColumn[type]).map(({ name }) => name),
  };
}

/** An index that Quire created tells more about a field than its column. */
function fieldOf(table: string, { name, type }: OrphanColumn, indexes: ReadonlySet<string>): OrphanField[] {
  const likely = typeOfColumn[type];
  if (!likely) return [];
  const indexed = indexes.has(orderIndexName(table, name));
  const fieldType = indexed && !indexableTypes.has(likely) ? 'string' : likely;
  return [{ slug: name, type: fieldType, unique: indexes.has(uniqueIndexName(table, name)), indexed }];
}

async function indexNames(sql: Queryable, table: string): Promise<ReadonlySet<string>> {
  const indexes = await sql.query<{ name: string }>(
    'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1',
    [table],
  );
  return new Set(indexes.map(({ name }) => name));
}

async function primaryKey(sql: Queryable, table: string): Promise<string[]> {
  const columns = await sql.query<{ name: string }>(
    `SELECT a.attname AS name FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
     WHERE c.conrelid = $1::regclass AND c.contype = 'p'`,
    [identifier(table)],
  );
  return columns.map(({ name }) => name);
}

/**
 * Gives the table the column types, rules and indexes of a collection's table.
 * @throws the database's error when its rows break a rule.
 */
export async function adoptTable(sql: Queryable, { tableName, columns, fields, key }: Orphan): Promise<void> {
  const declared = new Map(columns.map((column) => [column.name, column.declared]));
  await addSystemColumns(sql, tableName);
  const columnsToAlter = [
    ...systemColumns.filter(({ name }) => declared.has(name)),
    ...fields.map(({ slug, type }) => ({ name: slug, type: columnType(type) })),
  ].filter(({ name, type }) => declared.get(name) !== (fullNames[type] ?? type));
  const changes = [
    ...columnsToAlter.map(({ name, type }) => `ALTER COLUMN ${identifier(name)} TYPE ${type}`),
    ...fields.map(({ slug }) => `ALTER COLUMN ${identifier(slug)} DROP NOT NULL`),
  ];
  if (changes.length > 0) await sql.query(`ALTER TABLE ${identifier(tableName)} ${changes.join(', ')}`);
  if (key.length === 0) await createPrimaryKey(sql, tableName);
  await ensureSystemRules(sql, tableName);
  await startCounting(sql, tableName);
}
