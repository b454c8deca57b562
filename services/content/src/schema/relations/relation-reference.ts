import { isRelationField, type FieldDefinition } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import type { RelationSide, StoredRelation } from './relations.repository.js';

/** @returns the slug of the collection at one end of a relation. */
export function collectionAt(
  { parentCollection, childCollection }: Pick<StoredRelation, 'parentCollection' | 'childCollection'>,
  side: RelationSide,
): string {
  return side === 'parent' ? parentCollection : childCollection;
}

export const otherSide = (side: RelationSide): RelationSide => (side === 'parent' ? 'child' : 'parent');

/** A relation as the entries of the collection on one of its ends see it. */
export interface RelationReference {
  /** Slug of the field that views the relation. */
  field: string;
  isRequired: boolean;
  relationId: string;
  relation: string;
  /** The end of the field's collection; the selected entries are on the other. */
  side: RelationSide;
  /** Slug of the collection of the selected entries. */
  target: string;
  /** Column of the target's table with the titles of its entries. */
  titleColumn: string | null;
}

/** @returns the relations that fields of one collection view, in the order of the fields. */
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
      required: isRuleRequired,
    } = validation ?? {};
    const relationId = ids.get(relation);
    if (relationId === undefined) return [];
    return {
      field: slug,
      isRequired: required || isRuleRequired === true,
      relationId,
      relation,
      side: relationSide,
      target: targetCollection,
      titleColumn: titles.get(targetCollection) ?? null,
    };
  });
}

/**
 * @returns by collection the field with the titles of its entries: the title field, else `title`, else `name` (contract
 *   10).
 */
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
