import type { Sql } from '@quire/database';
import { boundFields, relationColumns, type BoundField, type Relation } from './relation.js';

/** A relation as the API answers it, with its use. `name` is what older clients call the slug (contract 10). */
export type DescribedRelation = Omit<Relation, 'madeByField'> & {
  name: string;
  boundFields: BoundField[];
  linkCount: number;
};

export async function describeRelation(
  sql: Sql,
  { madeByField: _internal, ...relation }: Relation,
): Promise<DescribedRelation> {
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
export async function listRelations(sql: Sql, collection: string | undefined): Promise<DescribedRelation[]> {
  const relations = await sql.query<Relation>(
    `SELECT ${relationColumns} FROM relations r
     WHERE $1::text IS NULL OR $1 IN (r.parent_collection, r.child_collection) ORDER BY r.slug`,
    [collection ?? null],
  );
  return Promise.all(relations.map((relation) => describeRelation(sql, relation)));
}
