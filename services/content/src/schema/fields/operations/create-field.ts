import { audit } from '@quire/audit';
import {
  completeFieldDefinition,
  isRelationField,
  maxFieldColumns,
  type FieldDefinition,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { resolveAllowedBlockTypes } from '../../block-types/blocks-field-rules.js';
import { bindReferenceField } from '../../relations/bind-reference-field.js';
import type { SchemaChanges } from '../../schema-change.js';
import { addFieldColumn } from '../../tables/content-table.repository.js';
import { assertFieldIsDeleted, finishFieldDeletion } from '../deleted-field.js';
import { assertValidFieldDefinition, nextSortOrder } from '../field-rules.js';
import { toFieldResponse, type FieldResponse } from '../field.mapper.js';
import { insertField, selectFields, type StoredField } from '../fields.repository.js';
import type { FieldInput } from '../fields.schemas.js';

/**
 * Creates a field with its column and indexes (spec document 3, Field definition properties; contract 14).
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_SLUG, RESERVED_SLUG, FIELD_EXISTS, FIELD_NOT_INDEXABLE,
 *   VALIDATION_ERROR, SERVICE_UNAVAILABLE (the values of a former field of the slug are being deleted).
 */
export async function createField(
  ctx: Context,
  changes: SchemaChanges,
  { collection: collectionSlug, field: input }: { collection: string; field: FieldInput },
): Promise<FieldResponse> {
  assertValidFieldDefinition(input);
  const slugs = { collection: collectionSlug, field: input.slug };
  await finishFieldDeletion(ctx, slugs);
  return changes.withTableLock(ctx, collectionSlug, async ({ tx, collection, table }) => {
    const stored = await selectFields(tx, collection.id);
    if (stored.some(({ slug }) => slug === input.slug)) {
      throw new QuireError('FIELD_EXISTS', `Field '${input.slug}' of '${collectionSlug}' already exists`);
    }
    await assertFieldIsDeleted(tx, slugs);
    const sortOrder = input.sortOrder ?? nextSortOrder(stored);
    const completed = await resolveAllowedBlockTypes(tx, completeFieldDefinition(input));
    const definition = { ...(await bindReferenceField(tx, collection, completed)), sortOrder };
    assertFieldLimit(stored, definition);
    const field = await insertField(tx, collection.id, definition);
    await addFieldColumn(tx, table, definition).catch((error: unknown) => {
      throw toColumnError(collectionSlug, input.slug, error);
    });
    await audit(ctx, tx, {
      action: 'field.created',
      target: { type: 'field', id: field.slug },
      details: { collection: collectionSlug, type: field.type },
    });
    return toFieldResponse(tx, field);
  });
}

/** A relation-bound reference field has no column. */
function assertFieldLimit(stored: readonly StoredField[], added: FieldDefinition): void {
  const columns = stored.filter((field) => !isRelationField(field));
  if (isRelationField(added) || columns.length < maxFieldColumns) return;
  const message = `the collection has ${maxFieldColumns} fields with a column already, the maximum`;
  throw invalidInput([{ path: 'slug', message }]);
}

/** SQLSTATE of a column that the table has, although no field has its name. */
const duplicateColumn = '42701';
/** SQLSTATE of a table with too many columns; PostgreSQL counts dropped ones too. */
const tooManyColumns = '54011';

/** @returns the API's error for a column that cannot be added, and any other error as it is. */
function toColumnError(collection: string, slug: string, error: unknown): unknown {
  if (hasSqlState(error, duplicateColumn)) {
    const message = `The table of '${collection}' has a column '${slug}' that belongs to no field`;
    return new QuireError('FIELD_EXISTS', message, { cause: error });
  }
  if (!hasSqlState(error, tooManyColumns)) return error;
  return invalidInput([{ path: 'slug', message: 'the collection cannot take more fields' }]);
}
