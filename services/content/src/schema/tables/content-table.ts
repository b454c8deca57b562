import { columnType, isRelationBound, type FieldDefinition } from '@quire/content-model';
import { boundedName, identifier, type Sql } from '@quire/database';

/** Every collection's table begins so; a table without a collection row is an orphan. */
export const contentTablePrefix = 'content_';

/** Name of a collection's table; slugs too long for PostgreSQL are shortened with a hash. */
export function contentTableName(collectionSlug: string): string {
  return boundedName(contentTablePrefix, collectionSlug);
}

/** Name of the unique index behind the system slug of entries: per locale, trashed rows included. */
export function slugIndexName(table: string): string {
  return boundedName('', `${table}__slug_key`);
}

/** Name of the unique index of a `unique` field: per locale; null never collides (decision 10). */
export function uniqueIndexName(table: string, fieldSlug: string): string {
  return boundedName('', `${table}__${fieldSlug}_unique`);
}

function indexName(table: string, column: string): string {
  return boundedName('', `${table}__${column}_index`);
}

/** System columns that lists are ordered by; each has an index that serves both directions. */
const orderedSystemColumns = ['created_at', 'updated_at', 'published_at'];

/**
 * Makes a collection's table. System columns that a field may also be called begin with an underscore, which no field
 * slug can (decision 24).
 */
export async function createContentTable(sql: Sql, table: string): Promise<void> {
  const name = identifier(table);
  await sql.query(`
    CREATE TABLE ${name} (
      id text PRIMARY KEY,
      slug text,
      status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'scheduled')),
      author_id text,
      primary_byline_id text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      published_at timestamptz(3),
      scheduled_at timestamptz(3),
      deleted_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      live_revision_id text,
      draft_revision_id text,
      _locale text NOT NULL,
      _translation_group text NOT NULL,
      _seo json
    )`);
  await ensureSystemIndexes(sql, table);
}

/** Makes the indexes of system columns that a table lacks. */
export async function ensureSystemIndexes(sql: Sql, table: string): Promise<void> {
  const name = identifier(table);
  const make = (kind: string, index: string, columns: string) =>
    sql.query(`CREATE ${kind} IF NOT EXISTS ${identifier(index)} ON ${name} ${columns}`);
  await make('UNIQUE INDEX', slugIndexName(table), '(slug, _locale)');
  await make('UNIQUE INDEX', indexName(table, '_group'), '(_translation_group, _locale)');
  for (const column of orderedSystemColumns) {
    await make('INDEX', indexName(table, column), `(${column} NULLS FIRST, id) WHERE deleted_at IS NULL`);
  }
}

/** Adds the column of a field with its indexes. A relation-bound reference field has none. */
export async function addFieldColumn(sql: Sql, table: string, field: FieldDefinition): Promise<void> {
  if (isRelationBound(field)) return;
  await sql.query(
    `ALTER TABLE ${identifier(table)} ADD COLUMN ${identifier(field.slug)} ${columnType(field.type)}`,
  );
  if (field.unique) await createUniqueIndex(sql, table, field.slug);
  if (field.indexed) await createFieldIndex(sql, table, field.slug);
}

/** Drops the column of a field; its values and indexes go with it. */
export async function dropFieldColumn(sql: Sql, table: string, field: FieldDefinition): Promise<void> {
  if (isRelationBound(field)) return;
  await sql.query(`ALTER TABLE ${identifier(table)} DROP COLUMN ${identifier(field.slug)}`);
}

export async function createUniqueIndex(sql: Sql, table: string, fieldSlug: string): Promise<void> {
  await sql.query(
    `CREATE UNIQUE INDEX ${identifier(uniqueIndexName(table, fieldSlug))} ON ${identifier(table)} (${identifier(fieldSlug)}, _locale)`,
  );
}

export async function dropUniqueIndex(sql: Sql, table: string, fieldSlug: string): Promise<void> {
  await sql.query(`DROP INDEX ${identifier(uniqueIndexName(table, fieldSlug))}`);
}

/** The index behind `orderBy` and `fieldFilters` of an indexed field. */
export async function createFieldIndex(sql: Sql, table: string, fieldSlug: string): Promise<void> {
  await sql.query(
    `CREATE INDEX ${identifier(indexName(table, fieldSlug))} ON ${identifier(table)} (${identifier(fieldSlug)} NULLS FIRST, id)
     WHERE deleted_at IS NULL`,
  );
}

export async function dropFieldIndex(sql: Sql, table: string, fieldSlug: string): Promise<void> {
  await sql.query(`DROP INDEX ${identifier(indexName(table, fieldSlug))}`);
}
