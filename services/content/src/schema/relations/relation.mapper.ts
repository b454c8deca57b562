import type { Queryable } from '@quire/database';
import { boundFields, relationColumns, type RelationField, type Relation } from './relation.js';

/** A relation as the API answers it, with its use. `name` is what older clients call the slug (contract 10). */
export type RelationResponse = Omit<Relation, 'madeByField'> & {
  name: string;
  boundFields: RelationField[];
  linkCount: number;
};

export async function toRelationResponse(
  sql: Queryable,
  { madeByField: _internal, ...relation }: Relation,
): Promise<RelationResponse> {
  const [links] = await sql.query<{ count: number }>(
    'SELECT count(*) AS count FROM reference_links WHERE relation_id = $1',
    [relation.id],
  );
  return {
    ...relation,
    name: relation.slug,
    boundFields: await boundFields(sql, relation.slug),
    linkCount: links?.count ?? 0,
  };
}

/** All relations by slug, or those of one collection. */
export async function listRelations(
  sql: Queryable,
  collection: string | undefined,
): Promise<RelationResponse[]> {
  const relations = await sql.query<Relation>(
    `SELECT ${relationColumns} FROM relations r
     WHERE $1::text IS NULL OR $1 IN (r.parent_collection, r.child_collection) ORDER BY r.slug`,
    [collection ?? null],
  );
  return Promise.all(relations.map((relation) => toRelationResponse(sql, relation)));
}
