import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';
import {
  collectionAt,
  otherSide,
  getRelationOrThrow,
  selectTitleColumns,
  type RelationReference,
  type CollectionDefinition,
  type RelationSide,
} from '../../schema/index.js';

/**
 * @param side the end on which the collection must be
 * @returns a relation as the entries of a collection on one of its ends see it, also if no field views that end.
 * @throws QuireError NOT_FOUND (relation), VALIDATION_ERROR (the collection is on the other end, or on none).
 */
export async function linkedReference(
  sql: Queryable,
  { slug, references }: CollectionDefinition,
  relationSlugOrId: string,
  side: RelationSide,
): Promise<RelationReference> {
  const relation = await getRelationOrThrow(sql, relationSlugOrId);
  if (collectionAt(relation, side) !== slug) {
    throw invalidInput([
      { path: 'relation', message: `'${slug}' is not on the ${side} end of '${relation.slug}'` },
    ]);
  }
  const viewed = references.find((known) => known.relationId === relation.id && known.side === side);
  if (viewed) return viewed;
  const target = collectionAt(relation, otherSide(side));
  const titles = await selectTitleColumns(sql, [target]);
  return {
    field: '',
    isRequired: false,
    relationId: relation.id,
    relation: relation.slug,
    side,
    target,
    titleColumn: titles.get(target) ?? null,
  };
}
