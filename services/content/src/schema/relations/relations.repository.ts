import {
  assignmentsOf,
  columnsOf,
  identifier,
  Parameters,
  type Queryable,
  type Row,
  type RowInput,
} from '@quire/database';
import { notFound } from '@quire/errors';
import { ulid } from '@quire/values';
import { beginDeletion, type DeletionStep } from '../../deletions/index.js';
import { beginFieldDeletion } from '../fields/deleted-field.js';
import { contentTableName, lockTable } from '../tables/content-table.repository.js';
import { Relation } from './relation.entity.js';

export type StoredRelation = Omit<Row<Relation>, 'createdAt'>;

export type RelationSide = 'parent' | 'child';

/** A reference field that views one end of a relation. */
export interface RelationField {
  collectionSlug: string;
  fieldSlug: string;
  side: RelationSide;
}

const columns = columnsOf(Relation, { except: ['createdAt'] });

/** @returns all relations by slug, or those of one collection. */
export function selectRelations(sql: Queryable, collection: string | undefined): Promise<StoredRelation[]> {
  return sql.query<StoredRelation>(
    `SELECT ${columns} FROM relations
     WHERE $1::text IS NULL OR $1 IN (parent_collection, child_collection) ORDER BY slug`,
    [collection ?? null],
  );
}

/** @param options.withRowLock locks the relation until the transaction ends */
export async function selectRelation(
  sql: Queryable,
  slugOrId: string,
  { withRowLock = false }: { withRowLock?: boolean } = {},
): Promise<StoredRelation | undefined> {
  const [relation] = await sql.query<StoredRelation>(
    `SELECT ${columns} FROM relations WHERE slug = $1 OR id = $1 ${withRowLock ? 'FOR UPDATE' : ''}`,
    [slugOrId],
  );
  return relation;
}

/** As `selectRelation`. @throws QuireError NOT_FOUND. */
export async function getRelationOrThrow(
  sql: Queryable,
  slugOrId: string,
  options?: { withRowLock?: boolean },
): Promise<StoredRelation> {
  const relation = await selectRelation(sql, slugOrId, options);
  if (!relation) throw notFound('relation');
  return relation;
}

/** Locks the relations of a collection until the transaction ends. */
export function lockRelations(tx: Queryable, collection: string): Promise<StoredRelation[]> {
  return tx.query<StoredRelation>(
    `SELECT ${columns} FROM relations WHERE $1 IN (parent_collection, child_collection) ORDER BY id FOR UPDATE`,
    [collection],
  );
}

/** @returns the relation, or undefined when its slug is taken. */
export async function insertRelation(
  tx: Queryable,
  input: Omit<RowInput<Relation>, 'id' | 'createdAt'>,
): Promise<StoredRelation | undefined> {
  const [relation] = await tx.query<StoredRelation>(
    `INSERT INTO relations (id, slug, parent_collection, child_collection, parent_label, parent_label_singular,
       child_label, child_label_singular, max_children_per_parent, max_parents_per_child, made_by_field)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (slug) DO NOTHING RETURNING ${columns}`,
    [
      ulid(),
      input.slug,
      input.parentCollection,
      input.childCollection,
      input.parentLabel,
      input.parentLabelSingular ?? null,
      input.childLabel,
      input.childLabelSingular ?? null,
      input.maxChildrenPerParent ?? null,
      input.maxParentsPerChild ?? null,
      input.madeByField,
    ],
  );
  return relation;
}

/** Updates the given columns of a relation, at least one; null clears one. */
export async function updateRelationRow(
  tx: Queryable,
  slug: string,
  update: RowInput<Relation>,
): Promise<void> {
  const params = new Parameters();
  const assignments = assignmentsOf(Relation, update, params).join(', ');
  await tx.query(`UPDATE relations SET ${assignments} WHERE slug = ${params.add(slug)}`, params.values);
}

/** Deletes a relation with its links. */
export async function deleteRelationRow(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query('DELETE FROM relations WHERE id = $1', [id]);
  await beginDeletion(tx, tenantId, { kind: 'relation', id }, deleteLinks);
}

/** Links that a step deletes. */
const maxLinks = 1_000;

/** Deletes the links of a deleted relation, in the order in which writers lock them. */
export const deleteLinks: DeletionStep = async (tx, { id, position }) => {
  const deleted = await tx.query(
    `DELETE FROM reference_links l USING (
       SELECT relation_id, parent_group, child_group FROM reference_links WHERE relation_id = $1
       ORDER BY 1, 2, 3 LIMIT ${maxLinks} FOR UPDATE
     ) d WHERE (l.relation_id, l.parent_group, l.child_group) = (d.relation_id, d.parent_group, d.child_group)
     RETURNING 1`,
    [id],
  );
  return deleted.length === maxLinks ? position : undefined;
};

/**
 * Deletes a relation, its links, the fields that view it and their data in drafts. The collections of the fields get a
 * new version. Their tables are locked against writers, whose drafts would otherwise keep a selection.
 */
export async function deleteRelationWithFields(
  tx: Queryable,
  tenantId: string,
  { id, slug }: Pick<StoredRelation, 'id' | 'slug'>,
): Promise<void> {
  for (const { collectionSlug: collection, fieldSlug: field } of await selectBoundFields(tx, slug)) {
    await lockTable(tx, contentTableName(collection), 'SHARE ROW EXCLUSIVE');
    await beginFieldDeletion(tx, tenantId, { collection, field });
  }
  const fields = await tx.query<{ collectionId: string }>(
    `DELETE FROM fields WHERE type = 'reference' AND validation ->> 'relation' = $1
     RETURNING collection_id AS "collectionId"`,
    [slug],
  );
  await tx.query('UPDATE collections SET version = version + 1 WHERE id = ANY($1)', [
    fields.map(({ collectionId }) => collectionId),
  ]);
  await deleteRelationRow(tx, tenantId, id);
}

/** @returns the fields that view a relation, at most one for each end. */
export async function selectBoundFields(sql: Queryable, relationSlug: string): Promise<RelationField[]> {
  return (await selectFieldsOfRelations(sql, [relationSlug])).get(relationSlug) ?? [];
}

/** @returns by slug of the relation the fields that view it. Relations without such fields are absent. */
export async function selectFieldsOfRelations(
  sql: Queryable,
  slugs: readonly string[],
): Promise<Map<string, RelationField[]>> {
  const rows = await sql.query<RelationField & { relation: string }>(
    `SELECT f.validation ->> 'relation' AS relation, c.slug AS "collectionSlug", f.slug AS "fieldSlug",
       f.validation ->> 'relationSide' AS side
     FROM fields f JOIN collections c ON c.id = f.collection_id
     WHERE f.type = 'reference' AND f.validation ->> 'relation' = ANY($1) ORDER BY 2, 3`,
    [slugs],
  );
  const fields = new Map<string, RelationField[]>();
  for (const { relation, ...field } of rows) fields.set(relation, [...(fields.get(relation) ?? []), field]);
  return fields;
}

/** @returns the numbers of links by relation. Relations without links are absent. */
export async function countLinks(
  sql: Queryable,
  relationIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql.query<{ id: string; count: number }>(
    `SELECT relation_id AS id, count(*) AS count FROM reference_links
     WHERE relation_id = ANY($1) GROUP BY relation_id`,
    [relationIds],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export async function hasLinks(sql: Queryable, relationId: string): Promise<boolean> {
  const links = await sql.query('SELECT 1 FROM reference_links WHERE relation_id = $1 LIMIT 1', [relationId]);
  return links.length > 0;
}

/** @returns the link count of the entry with the most links on one end, if it exceeds `max`. */
export async function countLinksAbove(
  sql: Queryable,
  { relationId, end, max }: { relationId: string; end: 'parent_group' | 'child_group'; max: number },
): Promise<number | undefined> {
  const [entry] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM reference_links WHERE relation_id = $1
     GROUP BY ${end} HAVING count(*) > $2 ORDER BY 1 DESC LIMIT 1`,
    [relationId, max],
  );
  return entry?.count;
}

/** @returns the ids of relations by slug. */
export async function selectRelationIds(
  sql: Queryable,
  slugs: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; slug: string }>(
    'SELECT id, slug FROM relations WHERE slug = ANY($1)',
    [slugs],
  );
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/**
 * @returns by collection the field with the titles of its entries: the title field, else `title`, else `name` (contract
 *   10).
 */
export async function selectTitleColumns(
  sql: Queryable,
  collections: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<{ collection: string; title: string | null }>(
    `SELECT c.slug AS collection, coalesce(c.title_field, (
       SELECT f.slug FROM fields f
       WHERE f.collection_id = c.id AND f.slug IN ('title', 'name') AND f.type IN ('string', 'text', 'slug')
       ORDER BY f.slug DESC LIMIT 1)) AS title
     FROM collections c WHERE c.slug = ANY($1)`,
    [collections],
  );
  return new Map(
    rows.flatMap(({ collection, title }) => (title === null ? [] : [[collection, title] as const])),
  );
}

/** Whether an entry of a table has no link on its end of a relation. */
export async function hasUnlinkedEntry(
  tx: Queryable,
  table: string,
  { relationId, side }: { relationId: string; side: RelationSide },
): Promise<boolean> {
  const unlinked = await tx.query(
    `SELECT 1 FROM ${identifier(table)} e WHERE NOT EXISTS (
       SELECT 1 FROM reference_links l WHERE l.relation_id = $1 AND l.${side}_group = e._translation_group) LIMIT 1`,
    [relationId],
  );
  return unlinked.length > 0;
}
