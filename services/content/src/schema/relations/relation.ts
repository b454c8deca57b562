import { isRelationField, type FieldDefinition } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { notFound } from '@quire/errors';

export type RelationSide = 'parent' | 'child';

/** A relation between the entries of two collections (contract 10). */
export interface Relation {
  id: string;
  slug: string;
  parentCollection: string;
  childCollection: string;
  parentLabel: string;
  parentLabelSingular: string | null;
  childLabel: string;
  childLabelSingular: string | null;
  /** null is no limit. */
  maxChildrenPerParent: number | null;
  maxParentsPerChild: number | null;
  /** Whether it came into being with a reference field, and goes with the last one. */
  madeByField: boolean;
}

/** One end of a relation that a field views. */
export interface RelationField {
  collectionSlug: string;
  fieldSlug: string;
  side: RelationSide;
}

export const relationColumns = `
  r.id, r.slug, r.parent_collection AS "parentCollection", r.child_collection AS "childCollection",
  r.parent_label AS "parentLabel", r.parent_label_singular AS "parentLabelSingular",
  r.child_label AS "childLabel", r.child_label_singular AS "childLabelSingular",
  r.max_children_per_parent AS "maxChildrenPerParent", r.max_parents_per_child AS "maxParentsPerChild",
  r.made_by_field AS "madeByField"`;

/** The relation with a slug or an id, held until the end of the transaction where `withRowLock`. */
export async function findRelation(
  sql: Queryable,
  slugOrId: string,
  { withRowLock = false }: { withRowLock?: boolean } = {},
): Promise<Relation | undefined> {
  const [relation] = await sql.query<Relation>(
    `SELECT ${relationColumns} FROM relations r WHERE r.slug = $1 OR r.id = $1 ${withRowLock ? 'FOR UPDATE' : ''}`,
    [slugOrId],
  );
  return relation;
}

/** @throws QuireError NOT_FOUND */
export async function getRelationOrThrow(
  sql: Queryable,
  slugOrId: string,
  how?: { withRowLock?: boolean },
): Promise<Relation> {
  const relation = await findRelation(sql, slugOrId, how);
  if (!relation) throw notFound('relation');
  return relation;
}

/** The relations that a collection takes part in, held until the end of the transaction. */
export async function lockRelations(sql: Queryable, collection: string): Promise<Relation[]> {
  return sql.query<Relation>(
    `SELECT ${relationColumns} FROM relations r WHERE $1 IN (r.parent_collection, r.child_collection)
     ORDER BY r.id FOR UPDATE`,
    [collection],
  );
}

/** The fields that view a relation: at most one an end. */
export async function boundFields(sql: Queryable, relationSlug: string): Promise<RelationField[]> {
  return sql.query<RelationField>(
    `SELECT c.slug AS "collectionSlug", f.slug AS "fieldSlug", f.validation ->> 'relationSide' AS side
     FROM fields f JOIN collections c ON c.id = f.collection_id
     WHERE f.type = 'reference' AND f.validation ->> 'relation' = $1 ORDER BY 1, 2`,
    [relationSlug],
  );
}

/** The collection at an end. */
export function collectionAt(
  { parentCollection, childCollection }: Pick<Relation, 'parentCollection' | 'childCollection'>,
  side: RelationSide,
): string {
  return side === 'parent' ? parentCollection : childCollection;
}

export const otherSide = (side: RelationSide): RelationSide => (side === 'parent' ? 'child' : 'parent');

/** What operations on entries need of a relation that a field of their collection views. */
export interface RelationReference {
  /** Slug of the field. */
  field: string;
  isRequired: boolean;
  relationId: string;
  relation: string;
  /** The end that the field's collection sits on; what is selected sits on the other. */
  side: RelationSide;
  /** Slug of the collection that is selected from. */
  target: string;
  /** Column of the target's table that titles its entries. */
  titleColumn: string | null;
}

/** The relations that these fields of one collection view, in the order of the fields. */
export async function selectRelationReferences(
  sql: Queryable,
  fields: readonly Pick<FieldDefinition, 'slug' | 'type' | 'required' | 'validation'>[],
): Promise<RelationReference[]> {
  const bound = fields.filter(isRelationField);
  if (bound.length === 0) return [];
  const rows = await sql.query<{ id: string; slug: string }>(
    'SELECT id, slug FROM relations WHERE slug = ANY($1)',
    [bound.map(({ validation }) => validation?.relation)],
  );
  const ids = new Map(rows.map(({ id, slug }) => [slug, id]));
  const titles = await titleColumns(sql, [
    ...new Set(bound.map(({ validation }) => validation?.targetCollection ?? '')),
  ]);
  return bound.flatMap(({ slug, required, validation }) => {
    const {
      relation = '',
      relationSide = 'parent',
      targetCollection = '',
      required: ruled,
    } = validation ?? {};
    const relationId = ids.get(relation);
    if (relationId === undefined) return [];
    return {
      field: slug,
      isRequired: required || ruled === true,
      relationId,
      relation,
      side: relationSide,
      target: targetCollection,
      titleColumn: titles.get(targetCollection) ?? null,
    };
  });
}

/** What titles an entry of these collections: the title field, else `title`, else `name` (contract 10). */
export async function titleColumns(
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
