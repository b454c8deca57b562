import { columnType, isRelationField, type FieldDefinition } from '@quire/content-model';
import { boundedName, identifier, literal, type Queryable } from '@quire/database';

/** Prefix of the tables of collections. A table with it that no collection has is an orphan. */
export const contentTablePrefix = 'content_';

/** Name of a collection's table; slugs too long for PostgreSQL are shortened with a hash. */
export function contentTableName(collectionSlug: string): string {
  return boundedName(contentTablePrefix, collectionSlug);
}

/** The prefix and the dots, which no slug has, keep the names of indexes and tables apart. */
function indexName(
  table: string,
  column: string,
  kind: 'key' | 'order' | 'status' | 'locale' | 'author' | 'trash' | 'published' | 'changed',
): string {
  return boundedName('ix.', `${table}.${column}.${kind}`);
}

/** Name of the unique index behind the system slug of entries: per locale, trashed rows included. */
export function slugIndexName(table: string): string {
  return indexName(table, 'slug', 'key');
}

/** Name of the unique index of a `unique` field: per locale; null never collides (decision 10). */
export function uniqueIndexName(table: string, fieldSlug: string): string {
  return indexName(table, fieldSlug, 'key');
}

/** Name of the index behind `orderBy` and `fieldFilters` of an indexed field. */
export function orderIndexName(table: string, fieldSlug: string): string {
  return indexName(table, fieldSlug, 'order');
}

/** The statuses of entries. */
export const entryStatuses = ['draft', 'published', 'scheduled'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

export const isEntryStatus = (text: string): text is EntryStatus =>
  (entryStatuses as readonly string[]).includes(text);
/** SQL condition: the slug ends with a number of at most 15 digits, as generated slugs do that were taken. */
const isNumbered = `slug ~ '-[0-9]{1,15}$'`;
/** SQL of the two parts of such a slug. */
const slugStem = `regexp_replace(slug, '-[0-9]{1,15}$', '')`;
const slugNumber = `substring(slug from '[0-9]+$')::bigint`;

/** SELECT of the slug with the greatest number, of those with a stem in a locale. It reads one entry of an index. */
export function greatestNumberedSlug(table: string, stem: string, locale: string): string {
  return `SELECT slug FROM ${identifier(table)}
    WHERE _locale = ${locale} AND ${isNumbered} AND ${slugStem} = ${stem} ORDER BY ${slugNumber} DESC LIMIT 1`;
}

/** Adds the index behind `greatestNumberedSlug` where it is missing. It does not depend on the order of texts. */
export async function ensureSlugNumberIndex(sql: Queryable, table: string): Promise<void> {
  await sql.query(
    `CREATE INDEX IF NOT EXISTS ${identifier(indexName(table, '_slug_number', 'order'))} ON ${identifier(table)}
     (_locale, ${slugStem}, (${slugNumber})) WHERE ${isNumbered}`,
  );
}

export interface SystemColumn {
  name: string;
  type: 'text' | 'integer' | 'timestamptz(3)' | 'json';
  isRequired?: true;
  default?: string;
  /** A registered orphan may lack it; registration adds it. */
  isAddable?: true;
}

/**
 * The columns of every entry. Those whose name a field may have begin with an underscore, which no field slug does
 * (decision 24).
 */
export const systemColumns: readonly SystemColumn[] = [
  { name: 'id', type: 'text', isRequired: true },
  { name: 'slug', type: 'text' },
  { name: 'status', type: 'text', isRequired: true, default: "'draft'" },
  { name: 'author_id', type: 'text' },
  { name: 'primary_byline_id', type: 'text' },
  { name: 'created_at', type: 'timestamptz(3)', isRequired: true, default: 'now()' },
  { name: 'updated_at', type: 'timestamptz(3)', isRequired: true, default: 'now()' },
  { name: 'published_at', type: 'timestamptz(3)' },
  { name: 'scheduled_at', type: 'timestamptz(3)' },
  { name: 'deleted_at', type: 'timestamptz(3)' },
  { name: 'version', type: 'integer', isRequired: true, default: '1' },
  { name: 'live_revision_id', type: 'text' },
  { name: 'draft_revision_id', type: 'text' },
  { name: '_locale', type: 'text', isRequired: true },
  { name: '_translation_group', type: 'text', isRequired: true },
  { name: '_seo', type: 'json' },
  // User and time of the last change, staging included; null in rows that are older than the columns (decision 51).
  { name: '_edited_by', type: 'text', isAddable: true },
  { name: '_edited_at', type: 'timestamptz(3)', default: 'now()', isAddable: true },
];

/** Adds the addable columns that a table lacks; existing rows have no value in them. */
export async function addSystemColumns(sql: Queryable, table: string): Promise<void> {
  const added = systemColumns.filter(({ isAddable }) => isAddable);
  const columns = added.map(({ name, type }) => `ADD COLUMN IF NOT EXISTS ${name} ${type}`);
  await sql.query(`ALTER TABLE ${identifier(table)} ${columns.join(', ')}`);
}

/** System columns that lists are ordered by with filters; their indexes serve both directions. */
const orderedSystemColumns = ['created_at', 'updated_at', 'published_at'];

/** Space for a second version of a row in its page: a change that touches no indexed column then writes no index. */
const fillFactor = 85;

/** Creates the table of a collection. */
export async function createContentTable(sql: Queryable, table: string): Promise<void> {
  const columns = systemColumns.map((column) => `${column.name} ${column.type}`);
  await sql.query(
    `CREATE TABLE ${identifier(table)} (${columns.join(', ')}) WITH (fillfactor = ${fillFactor})`,
  );
  await createPrimaryKey(sql, table);
  await ensureSystemRules(sql, table);
}

export async function createPrimaryKey(sql: Queryable, table: string): Promise<void> {
  const key = identifier(indexName(table, 'id', 'key'));
  await sql.query(`ALTER TABLE ${identifier(table)} ADD CONSTRAINT ${key} PRIMARY KEY (id)`);
}

/**
 * Adds the rules and indexes of a collection's table where they are missing.
 * @throws the database's error when stored rows break a rule.
 */
export async function ensureSystemRules(sql: Queryable, table: string): Promise<void> {
  const name = identifier(table);
  const statuses = identifier(boundedName('ck.', `${table}.status`));
  const rules = systemColumns.flatMap((column) => [
    ...(column.isRequired ? [`ALTER COLUMN ${column.name} SET NOT NULL`] : []),
    ...(column.default ? [`ALTER COLUMN ${column.name} SET DEFAULT ${column.default}`] : []),
  ]);
  await sql.query(
    `ALTER TABLE ${name} ${rules.join(', ')}, DROP CONSTRAINT IF EXISTS ${statuses},
       ADD CONSTRAINT ${statuses} CHECK (status IN (${entryStatuses.map(literal).join(', ')}))`,
  );
  await createIndex(sql, table, 'UNIQUE INDEX', slugIndexName(table), '(slug, _locale)');
  const groupKey = indexName(table, '_group', 'key');
  await createIndex(sql, table, 'UNIQUE INDEX', groupKey, '(_translation_group, _locale)');
  await ensureListIndexes(sql, table);
  await dropReplacedIndexes(sql, table);
  await createPublishedIndex(sql, table);
  await ensureSlugNumberIndex(sql, table);
}

const createIndex = (sql: Queryable, table: string, kind: string, name: string, columns: string) =>
  sql.query(`CREATE ${kind} IF NOT EXISTS ${identifier(name)} ON ${identifier(table)} ${columns}`);

/**
 * Creates the indexes of lists where they are missing. Each begins with the columns that filters compare, and continues
 * with the order: a page reads no row that its filters leave out. A list of all statuses merges those of each. The
 * statistics tell PostgreSQL how many rows a locale has, which it does not know of an expression in a partial index.
 */
export async function ensureListIndexes(sql: Queryable, table: string): Promise<void> {
  const name = identifier(table);
  const live = 'WHERE deleted_at IS NULL';
  await sql.query(`ALTER TABLE ${name} SET (fillfactor = ${fillFactor})`);
  const create = (index: string, columns: string) => createIndex(sql, table, 'INDEX', index, columns);
  for (const column of orderedSystemColumns) {
    const order = `${column} NULLS FIRST, id`;
    await create(indexName(table, column, 'status'), `(status, ${order}) ${live}`);
    // A locale is compared as an expression. PostgreSQL returns no expression from an index: it counts by the column.
    const counted = column === 'created_at' ? 'INCLUDE (_locale)' : '';
    await create(indexName(table, column, 'locale'), `(lower(_locale), status, ${order}) ${counted} ${live}`);
  }
  await create(indexName(table, '_edited_at', 'status'), `(status, _edited_at NULLS FIRST, id) ${live}`);
  await create(
    indexName(table, '_edited_at', 'changed'),
    `(_edited_at NULLS FIRST, id) ${live} AND status = 'published' AND draft_revision_id IS NOT NULL`,
  );
  await create(
    indexName(table, 'created_at', 'author'),
    `(author_id, status, created_at NULLS FIRST, id) ${live}`,
  );
  await create(orderIndexName(table, 'status'), `(status, id) ${live}`);
  await create(
    orderIndexName(table, 'scheduled_at'),
    `(scheduled_at, id) WHERE scheduled_at IS NOT NULL AND deleted_at IS NULL`,
  );
  await create(
    indexName(table, 'deleted_at', 'trash'),
    '(deleted_at NULLS FIRST, id) WHERE deleted_at IS NOT NULL',
  );
  await sql.query(
    `CREATE STATISTICS IF NOT EXISTS ${identifier(indexName(table, 'locale', 'locale'))} ON (lower(_locale)) FROM ${name}`,
  );
}

/**
 * SELECT of the entries of each status whose time is the latest, outside the trash: the beginnings of ranges of the
 * column's index, which begins with the status.
 */
export function latestOfStatuses(
  table: string,
  column: 'updated_at' | '_edited_at',
  { statuses = entryStatuses, limit }: { statuses?: readonly EntryStatus[]; limit: number },
): string {
  const listed = statuses.map((status) => `(${literal(status)})`).join(', ');
  return `SELECT l.* FROM (VALUES ${listed}) listed (status) CROSS JOIN LATERAL (
      SELECT * FROM ${identifier(table)} t WHERE t.status = listed.status AND t.deleted_at IS NULL
      ORDER BY t.${column} DESC NULLS LAST, t.id DESC LIMIT ${limit}
    ) l`;
}

/** Drops the former indexes of lists, which `ensureListIndexes` replaces. Readers wait until the transaction ends. */
export async function dropReplacedIndexes(sql: Queryable, table: string): Promise<void> {
  const names = orderedSystemColumns.map((column) => identifier(orderIndexName(table, column)));
  await sql.query(`DROP INDEX IF EXISTS ${names.join(', ')}`);
}

/** The index of the translation groups that readers see: counts of the entries of terms read only it. */
export async function createPublishedIndex(sql: Queryable, table: string): Promise<void> {
  const index = identifier(indexName(table, '_group', 'published'));
  await sql.query(
    `CREATE INDEX IF NOT EXISTS ${index} ON ${identifier(table)} (_translation_group)
     WHERE status = 'published' AND deleted_at IS NULL`,
  );
}

/** Adds the column of a field with its indexes. A relation-bound reference field has none. */
export async function addFieldColumn(sql: Queryable, table: string, field: FieldDefinition): Promise<void> {
  if (isRelationField(field)) return;
  // In existing entries a blocks field is empty, not unset (document 3, `blocks` rules).
  const defaultClause = field.type === 'blocks' ? " DEFAULT '[]'" : '';
  await sql.query(
    `ALTER TABLE ${identifier(table)} ADD COLUMN ${identifier(field.slug)} ${columnType(field.type)}${defaultClause}`,
  );
  if (field.unique) await createUniqueIndex(sql, table, field);
  if (field.indexed) await createFieldIndex(sql, table, field.slug);
}

/** Drops the column of a field with its values and indexes. */
export async function dropFieldColumn(sql: Queryable, table: string, field: FieldDefinition): Promise<void> {
  if (isRelationField(field)) return;
  await sql.query(`ALTER TABLE ${identifier(table)} DROP COLUMN ${identifier(field.slug)}`);
}

/** Texts are indexed by a digest: PostgreSQL cannot index long ones as they are. */
export async function createUniqueIndex(
  sql: Queryable,
  table: string,
  field: FieldDefinition,
): Promise<void> {
  const column = identifier(field.slug);
  const key = columnType(field.type) === 'text' ? `md5(${column})` : column;
  await sql.query(
    `CREATE UNIQUE INDEX ${identifier(uniqueIndexName(table, field.slug))} ON ${identifier(table)} (${key}, _locale)`,
  );
}

export async function dropUniqueIndex(sql: Queryable, table: string, fieldSlug: string): Promise<void> {
  await sql.query(`DROP INDEX ${identifier(uniqueIndexName(table, fieldSlug))}`);
}

/** The index behind `orderBy` and `fieldFilters` of an indexed field. */
export async function createFieldIndex(sql: Queryable, table: string, fieldSlug: string): Promise<void> {
  await sql.query(
    `CREATE INDEX ${identifier(orderIndexName(table, fieldSlug))} ON ${identifier(table)} (${identifier(fieldSlug)} NULLS FIRST, id)
     WHERE deleted_at IS NULL`,
  );
}

export async function dropFieldIndex(sql: Queryable, table: string, fieldSlug: string): Promise<void> {
  await sql.query(`DROP INDEX ${identifier(orderIndexName(table, fieldSlug))}`);
}

/** Whether a table has rows. */
export async function hasRows(sql: Queryable, table: string): Promise<boolean> {
  const rows = await sql.query(`SELECT 1 FROM ${identifier(table)} LIMIT 1`);
  return rows.length > 0;
}

/** Locks a table until the transaction ends: against writers, or against readers too. */
export async function lockTable(
  tx: Queryable,
  table: string,
  mode: 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE',
): Promise<void> {
  await tx.query(`LOCK TABLE ${identifier(table)} IN ${mode} MODE`);
}
