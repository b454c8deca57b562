import { isRelationField, type FieldDefinition } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import {
  selectRelationIds,
  selectTitleColumns,
  type RelationSide,
  type StoredRelation,
} from './relations.repository.js';

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
  const ids = await selectRelationIds(
    sql,
    bound.map(({ validation }) => validation?.relation ?? ''),
  );
  const titles = await selectTitleColumns(sql, [
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
