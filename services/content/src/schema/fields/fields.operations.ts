import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { contentApi, ResponseOf } from '@quire/internal-api';
import { assertDistinct } from '../collections/collections.operations.js';
import { clearFieldRoles, selectCollection } from '../collections/collections.repository.js';
import { fieldDefinition } from '../definitions/collection-definition.js';
import { unbindReferenceField } from '../relations/bind-reference-field.js';
import type { SchemaChanges } from '../schema-change.js';
import { dropFieldColumn } from '../tables/content-table.repository.js';
import { beginFieldDeletion, type FieldSlugs } from './deleted-field.js';
import { toFieldResponses, type FieldResponse } from './field.mapper.js';
import { deleteFieldRow, selectFileTypes, selectFields, updateFieldOrder } from './fields.repository.js';

/** @returns the fields of a collection in display order (contract 14). @throws QuireError NOT_FOUND. */
export async function listFields(ctx: Context, collectionSlug: string): Promise<FieldResponse[]> {
  const collection = await selectCollection(ctx.db, collectionSlug);
  if (!collection) throw notFound('collection');
  return toFieldResponses(ctx.db, await selectFields(ctx.db, collection.id));
}

/** @returns one field (contract 14). @throws QuireError NOT_FOUND. */
export async function getField(ctx: Context, address: FieldSlugs): Promise<FieldResponse> {
  const field = (await listFields(ctx, address.collection)).find(({ slug }) => slug === address.field);
  if (!field) throw notFound('field');
  return field;
}

/**
 * @returns the MIME types that a field accepts, null for any (document 3, image and file; decision 9).
 * @throws QuireError NOT_FOUND.
 */
export async function getFileTypes(
  ctx: Context,
  fieldId: string,
): Promise<ResponseOf<typeof contentApi.getFileTypes>> {
  const field = await selectFileTypes(ctx.db, fieldId);
  if (!field) throw notFound('field');
  return field;
}

/**
 * Sets the display order of a collection's fields; unlisted fields follow in their present order (contract 14).
 * @throws QuireError COLLECTION_NOT_FOUND, FIELD_NOT_FOUND, DUPLICATE_SLUG (the last two with details.slugs).
 */
export async function reorderFields(
  ctx: Context,
  changes: SchemaChanges,
  { collection: collectionSlug, slugs }: { collection: string; slugs: readonly string[] },
): Promise<{ success: true }> {
  assertDistinct(slugs);
  return changes.withCollectionLock(ctx, collectionSlug, async ({ tx, collection }) => {
    const stored = (await selectFields(tx, collection.id)).map(({ slug }) => slug);
    const unknown = slugs.filter((slug) => !stored.includes(slug));
    if (unknown.length > 0) {
      throw new QuireError('FIELD_NOT_FOUND', `Fields not found: ${unknown.join(', ')}`, {
        details: { slugs: unknown },
      });
    }
    await updateFieldOrder(tx, collection.id, [...slugs, ...stored.filter((slug) => !slugs.includes(slug))]);
    const target = { type: 'collection', id: collectionSlug } as const;
    await audit(ctx, tx, { action: 'field.reordered', target });
    return { success: true };
  });
}

/**
 * Deletes a field with its stored values, those of drafts and old revisions included: a later field with the same slug
 * must not show them (spec document 2, rule 6).
 * @throws QuireError COLLECTION_NOT_FOUND, FIELD_NOT_FOUND.
 */
export async function deleteField(
  ctx: Context,
  changes: SchemaChanges,
  address: FieldSlugs,
): Promise<{ success: true; deleted: true }> {
  return changes.withTableLock(ctx, address.collection, async ({ tx, collection, table }) => {
    const field = (await selectFields(tx, collection.id)).find(({ slug }) => slug === address.field);
    if (!field)
      throw new QuireError('FIELD_NOT_FOUND', `'${address.collection}' has no field '${address.field}'`);
    const definition = fieldDefinition(field);
    await deleteFieldRow(tx, field.id);
    await dropFieldColumn(tx, table, definition);
    const tenantId = ctx.principal.tenant.id;
    await unbindReferenceField(tx, tenantId, definition);
    await beginFieldDeletion(tx, tenantId, { collection: collection.slug, field: field.slug });
    await clearFieldRoles(tx, collection.id, field.slug);
    await audit(ctx, tx, {
      action: 'field.deleted',
      target: { type: 'field', id: field.slug },
      details: { collection: collection.slug },
    });
    return { success: true, deleted: true };
  });
}
