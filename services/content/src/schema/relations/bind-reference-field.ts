import { maxSlugLength, type FieldDefinition } from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { invalidInput } from '@quire/errors';
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { Collection } from '../collections/collection.entity.js';
import { collectionNotFound } from '../definitions/collection-not-found.js';
import {
  boundFields,
  collectionAt,
  findRelation,
  otherSide,
  type Relation,
  type RelationSide,
} from './relation.js';

/**
 * Binds a reference field to an end of a relation: of an existing one that it names, or of a new one to the target
 * collection that it names. A reference field that names neither stays a plain one.
 * @returns the field with the relation, the side and the target stored in its rules.
 * @throws QuireError COLLECTION_NOT_FOUND (target), VALIDATION_ERROR (no such relation, or the end is taken).
 */
export async function bindReferenceField(
  tx: Transaction,
  collection: Collection,
  field: FieldDefinition,
): Promise<FieldDefinition> {
  if (field.type !== 'reference') return field;
  const { targetCollection, relation, relationSide, multiple, ...rules } = field.validation ?? {};
  if (relation !== undefined) {
    const found = await findRelation(tx, relation, { withRowLock: true });
    if (!found || found.slug !== relation) throw invalid('relation', `relation '${relation}' not found`);
    const side = sideOf(found, collection.slug, relationSide);
    await assertEndUnbound(tx, found, side);
    return bound(field, rules, found, side);
  }
  if (targetCollection === undefined) return field;
  if (!(await tx.repository(Collection).existsBy({ slug: targetCollection })))
    throw collectionNotFound(targetCollection);
  const created = await insertRelation(tx, collection, field, {
    targetCollection,
    multiple: multiple ?? false,
  });
  return bound(field, rules, created, 'parent');
}

function bound(
  field: FieldDefinition,
  rules: NonNullable<FieldDefinition['validation']>,
  relation: Relation,
  side: RelationSide,
): FieldDefinition {
  const targetCollection = collectionAt(relation, otherSide(side));
  const validation = { ...rules, relation: relation.slug, relationSide: side, targetCollection };
  // What a plain reference field had in its column and index is of no use to links.
  return { ...field, validation, searchable: false, indexed: false, unique: false };
}

/** The end that a collection sits on. It has to be said only when both ends are the same collection. */
function sideOf(
  { slug, parentCollection, childCollection }: Relation,
  collection: string,
  given: RelationSide | undefined,
): RelationSide {
  const isParent = parentCollection === collection;
  const isChild = childCollection === collection;
  if (!isParent && !isChild)
    throw invalid('relation', `'${slug}' does not relate entries of '${collection}'`);
  if (isParent && isChild) {
    if (given === undefined) throw invalid('relationSide', `specify which end of '${slug}' the field views`);
    return given;
  }
  if (given !== undefined)
    throw invalid('relationSide', 'is only allowed for relations within one collection');
  return isParent ? 'parent' : 'child';
}

async function assertEndUnbound(tx: Transaction, { slug }: Relation, side: RelationSide): Promise<void> {
  const taken = (await boundFields(tx, slug)).find((field) => field.side === side);
  if (taken)
    throw invalid(
      'relation',
      `the ${side} end of '${slug}' is that of ${taken.collectionSlug}.${taken.fieldSlug}`,
    );
}

async function insertRelation(
  tx: Transaction,
  collection: Collection,
  field: FieldDefinition,
  { targetCollection, multiple }: { targetCollection: string; multiple: boolean },
): Promise<Relation> {
  const slug = await freeRelationSlug(tx, `${collection.slug}_${field.slug}`);
  await tx.query(
    `INSERT INTO relations (id, slug, parent_collection, child_collection, parent_label, child_label,
       max_children_per_parent, made_by_field)
     VALUES ($1, $2, $3, $4, $5, $6, $7, true)`,
    [ulid(), slug, collection.slug, targetCollection, collection.label, field.label, multiple ? null : 1],
  );
  const created = await findRelation(tx, slug);
  if (!created) throw new Error(`The relation ${slug} not found after INSERT`);
  return created;
}

/** `{collection}_{field}`, shortened with a hash when too long, numbered when a relation has it already. */
async function freeRelationSlug(tx: Transaction, wanted: string): Promise<string> {
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 8);
  const room = maxSlugLength - 4;
  const stem = wanted.length <= maxSlugLength ? wanted : `${wanted.slice(0, room - hash.length - 1)}_${hash}`;
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? stem : `${stem.slice(0, room)}_${number}`;
    if (!(await findRelation(tx, slug))) return slug;
  }
}

function invalid(rule: string, message: string) {
  return invalidInput([{ path: `validation.${rule}`, message }]);
}

/** A field's label names the end that it looks at (spec document 3, `reference` rules). */
export async function renameSideOf(tx: Transaction, field: FieldDefinition): Promise<void> {
  const { relation, relationSide } = field.validation ?? {};
  if (relation === undefined) return;
  const column = relationSide === 'child' ? 'parent_label' : 'child_label';
  await tx.query(`UPDATE relations SET ${column} = $2 WHERE slug = $1`, [relation, field.label]);
}

/** Takes a field off its relation. A relation that came with a field goes, links and all, when no field is left. */
export async function unbindReferenceField(tx: Transaction, field: FieldDefinition): Promise<void> {
  const { relation } = field.validation ?? {};
  if (field.type !== 'reference' || relation === undefined) return;
  const found = await findRelation(tx, relation, { withRowLock: true });
  if (!found?.madeByField || (await boundFields(tx, relation)).length > 0) return;
  await tx.query('DELETE FROM relations WHERE id = $1', [found.id]);
}
