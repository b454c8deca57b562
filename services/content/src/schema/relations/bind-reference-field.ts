import { createHash } from 'node:crypto';
import { maxSlugLength, type FieldDefinition } from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { invalidInput } from '@quire/errors';
import { selectCollection, type StoredCollection } from '../collections/collections.repository.js';
import { collectionNotFound } from '../definitions/collection-definition.js';
import { collectionAt, otherSide } from './relation-reference.js';
import {
  deleteRelationRow,
  insertRelation,
  selectBoundFields,
  selectRelation,
  updateRelationRow,
  type RelationSide,
  type StoredRelation,
} from './relations.repository.js';

/**
 * Binds a reference field to one end of a relation: of the existing relation that it names, or of a new one to the
 * target collection that it names. A reference field that names neither stays plain.
 * @returns the field with relation, side and target in its rules.
 * @throws QuireError COLLECTION_NOT_FOUND (target), VALIDATION_ERROR (no such relation, or a field views the end).
 */
export async function bindReferenceField(
  tx: Transaction,
  collection: StoredCollection,
  field: FieldDefinition,
): Promise<FieldDefinition> {
  if (field.type !== 'reference') return field;
  const { targetCollection, relation: slug, relationSide, multiple, ...rules } = field.validation ?? {};
  if (slug !== undefined) {
    const relation = await selectRelation(tx, slug, { withRowLock: true });
    if (relation?.slug !== slug) throw invalidRule('relation', `relation '${slug}' not found`);
    const side = sideOf(relation, collection.slug, relationSide);
    await assertEndUnbound(tx, relation, side);
    return boundField(field, rules, relation, side);
  }
  if (targetCollection === undefined) return field;
  // Locked, so that the target is not deleted before the relation is inserted.
  if (!(await selectCollection(tx, targetCollection, { lock: 'FOR SHARE' })))
    throw collectionNotFound(targetCollection);
  const relation = await insertRelationOfField(tx, collection, field, {
    targetCollection,
    multiple: multiple ?? false,
  });
  return boundField(field, rules, relation, 'parent');
}

function boundField(
  field: FieldDefinition,
  rules: NonNullable<FieldDefinition['validation']>,
  relation: StoredRelation,
  side: RelationSide,
): FieldDefinition {
  const targetCollection = collectionAt(relation, otherSide(side));
  const validation = { ...rules, relation: relation.slug, relationSide: side, targetCollection };
  // A bound field has no column that could be searched or indexed.
  return { ...field, validation, searchable: false, indexed: false, unique: false };
}

/** The end of a collection. A field has to name it only when both ends are the same collection. */
function sideOf(
  { slug, parentCollection, childCollection }: StoredRelation,
  collection: string,
  given: RelationSide | undefined,
): RelationSide {
  const isParent = parentCollection === collection;
  const isChild = childCollection === collection;
  if (!isParent && !isChild)
    throw invalidRule('relation', `'${slug}' does not relate entries of '${collection}'`);
  if (isParent && isChild) {
    if (given === undefined)
      throw invalidRule('relationSide', `specify which end of '${slug}' the field views`);
    return given;
  }
  if (given !== undefined)
    throw invalidRule('relationSide', 'is only allowed for relations within one collection');
  return isParent ? 'parent' : 'child';
}

async function assertEndUnbound(
  tx: Transaction,
  { slug }: StoredRelation,
  side: RelationSide,
): Promise<void> {
  const field = (await selectBoundFields(tx, slug)).find((bound) => bound.side === side);
  if (field)
    throw invalidRule(
      'relation',
      `the ${side} end of '${slug}' is that of ${field.collectionSlug}.${field.fieldSlug}`,
    );
}

/** The slug of the relation is `{collection}_{field}`, shortened with a hash when too long, numbered when taken. */
async function insertRelationOfField(
  tx: Transaction,
  collection: StoredCollection,
  field: FieldDefinition,
  { targetCollection, multiple }: { targetCollection: string; multiple: boolean },
): Promise<StoredRelation> {
  const wanted = `${collection.slug}_${field.slug}`;
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 8);
  const room = maxSlugLength - 4;
  const stem = wanted.length <= maxSlugLength ? wanted : `${wanted.slice(0, room - hash.length - 1)}_${hash}`;
  for (let number = 1; ; number += 1) {
    const relation = await insertRelation(tx, {
      slug: number === 1 ? stem : `${stem.slice(0, room)}_${number}`,
      parentCollection: collection.slug,
      childCollection: targetCollection,
      parentLabel: collection.label,
      childLabel: field.label,
      maxChildrenPerParent: multiple ? null : 1,
      madeByField: true,
    });
    if (relation) return relation;
  }
}

function invalidRule(rule: string, message: string) {
  return invalidInput([{ path: `validation.${rule}`, message }]);
}

/** The label of a field is the label of the end that it views (spec document 3, `reference` rules). */
export async function updateLabelOfSide(tx: Transaction, field: FieldDefinition): Promise<void> {
  const { relation, relationSide } = field.validation ?? {};
  if (relation === undefined) return;
  const label = relationSide === 'child' ? { parentLabel: field.label } : { childLabel: field.label };
  await updateRelationRow(tx, relation, label);
}

/**
 * Removes a deleted field from its relation. A relation that was created with a field is deleted, links included, when
 * no field views it any more.
 */
export async function unbindReferenceField(
  tx: Transaction,
  tenantId: string,
  field: FieldDefinition,
): Promise<void> {
  const { relation: slug } = field.validation ?? {};
  if (field.type !== 'reference' || slug === undefined) return;
  const relation = await selectRelation(tx, slug, { withRowLock: true });
  if (!relation?.madeByField || (await selectBoundFields(tx, slug)).length > 0) return;
  await deleteRelationRow(tx, tenantId, relation.id);
}
