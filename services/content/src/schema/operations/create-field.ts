import { audit } from '@quire/audit';
import { completeFieldDefinition, isRelationBound, type FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { settleBlockTypes } from '../block-types/blocks-field-rules.js';
import { describeField, type DescribedField } from '../block-types/describe-fields.js';
import { Field } from '../field.entity.js';
import { nextSortOrder, requireSoundDefinition, storeField } from '../field-rules.js';
import { fieldsOf, type SchemaChanges } from '../schema-change.js';
import type { FieldInput } from '../schema.schemas.js';
import { bindReferenceField } from '../relations/bind-reference-field.js';
import { addFieldColumn, maxFieldColumns } from '../tables/content-table.js';

/**
 * Adds a field with its column and indexes (spec document 3, Field definition properties).
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_SLUG, RESERVED_SLUG, FIELD_EXISTS, FIELD_NOT_INDEXABLE,
 * VALIDATION_ERROR.
 */
export async function createField(
  ctx: Context,
  changes: SchemaChanges,
  collectionSlug: string,
  input: FieldInput,
): Promise<DescribedField> {
  requireSoundDefinition(input);
  return changes.ofTable(ctx, collectionSlug, async ({ tx, collection, table }) => {
    const present = await fieldsOf(tx, collection.id);
    if (present.some(({ slug }) => slug === input.slug)) {
      throw new QuireError('FIELD_EXISTS', `'${collectionSlug}' has a field '${input.slug}' already`);
    }
    const id = ulid();
    const sortOrder = input.sortOrder ?? nextSortOrder(present);
    const settled = await settleBlockTypes(tx, completeFieldDefinition(input));
    const field = { ...(await bindReferenceField(tx, collection, settled)), sortOrder };
    requireRoom(present, field);
    await storeField(tx, id, collection.id, field);
    await addFieldColumn(tx, table, field).catch((error: unknown) =>
      nameRefusedColumn(collectionSlug, input.slug, error),
    );
    await audit(ctx, tx, {
      action: 'field.created',
      target: { type: 'field', id: field.slug },
      details: { collection: collectionSlug, type: field.type },
    });
    return describeField(tx, await tx.repository(Field).findOneByOrFail({ id }));
  });
}

/** A relation-bound reference takes no room in a row. */
function requireRoom(present: readonly Field[], added: FieldDefinition): void {
  const columns = present.filter((field) => !isRelationBound(field));
  if (isRelationBound(added) || columns.length < maxFieldColumns) return;
  const message = `the collection has ${maxFieldColumns} fields that hold values already, and cannot take more`;
  throw invalidInput([{ path: 'slug', message }]);
}

/** SQLSTATE of a column that the table has, though no field says so. */
const duplicateColumn = '42701';
/** SQLSTATE of a full table; PostgreSQL counts dropped columns too. */
const tooManyColumns = '54011';

function nameRefusedColumn(collection: string, slug: string, error: unknown): never {
  if (hasSqlState(error, duplicateColumn)) {
    const message = `The table of '${collection}' has a column '${slug}' that belongs to no field`;
    throw new QuireError('FIELD_EXISTS', message, { cause: error });
  }
  if (!hasSqlState(error, tooManyColumns)) throw error;
  throw invalidInput([{ path: 'slug', message: 'the collection cannot take more fields' }]);
}
