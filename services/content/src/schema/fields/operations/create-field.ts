import { audit } from '@quire/audit';
import { completeFieldDefinition, isRelationField, type FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { resolveAllowedBlockTypes } from '../../block-types/blocks-field-rules.js';
import { toFieldResponse, type FieldResponse } from '../../block-types/field.mapper.js';
import { Field } from '../field.entity.js';
import { nextSortOrder, assertValidFieldDefinition, upsertField } from '../field-rules.js';
import { selectFields, type SchemaChanges } from '../../schema-change.js';
import type { FieldInput } from '../../schema.schemas.js';
import { bindReferenceField } from '../../relations/bind-reference-field.js';
import { addFieldColumn, maxFieldColumns } from '../../tables/content-table.js';

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
): Promise<FieldResponse> {
  assertValidFieldDefinition(input);
  return changes.withTableLock(ctx, collectionSlug, async ({ tx, collection, table }) => {
    const present = await selectFields(tx, collection.id);
    if (present.some(({ slug }) => slug === input.slug)) {
      throw new QuireError('FIELD_EXISTS', `Field '${input.slug}' of '${collectionSlug}' already exists`);
    }
    const id = ulid();
    const sortOrder = input.sortOrder ?? nextSortOrder(present);
    const settled = await resolveAllowedBlockTypes(tx, completeFieldDefinition(input));
    const field = { ...(await bindReferenceField(tx, collection, settled)), sortOrder };
    assertFieldLimit(present, field);
    await upsertField(tx, id, collection.id, field);
    await addFieldColumn(tx, table, field).catch((error: unknown) =>
      rethrowColumnError(collectionSlug, input.slug, error),
    );
    await audit(ctx, tx, {
      action: 'field.created',
      target: { type: 'field', id: field.slug },
      details: { collection: collectionSlug, type: field.type },
    });
    return toFieldResponse(tx, await tx.repository(Field).findOneByOrFail({ id }));
  });
}

/** A relation-bound reference takes no room in a row. */
function assertFieldLimit(present: readonly Field[], added: FieldDefinition): void {
  const columns = present.filter((field) => !isRelationField(field));
  if (isRelationField(added) || columns.length < maxFieldColumns) return;
  const message = `the collection has ${maxFieldColumns} fields with a column already, the maximum`;
  throw invalidInput([{ path: 'slug', message }]);
}

/** SQLSTATE of a column that the table has, though no field says so. */
const duplicateColumn = '42701';
/** SQLSTATE of a full table; PostgreSQL counts dropped columns too. */
const tooManyColumns = '54011';

function rethrowColumnError(collection: string, slug: string, error: unknown): never {
  if (hasSqlState(error, duplicateColumn)) {
    const message = `The table of '${collection}' has a column '${slug}' that belongs to no field`;
    throw new QuireError('FIELD_EXISTS', message, { cause: error });
  }
  if (!hasSqlState(error, tooManyColumns)) throw error;
  throw invalidInput([{ path: 'slug', message: 'the collection cannot take more fields' }]);
}
