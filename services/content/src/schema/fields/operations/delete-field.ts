import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { fieldDefinition } from '../../definitions/collection-definition.js';
import { Field } from '../field.entity.js';
import { selectFields, type SchemaChanges } from '../../schema-change.js';
import { deleteFieldData } from '../../relations/delete-field-data.js';
import { unbindReferenceField } from '../../relations/bind-reference-field.js';
import { dropFieldColumn } from '../../tables/content-table.js';

/**
 * Removes a field with its stored values, those in drafts and old revisions too: none may come back under a later field
 * of the same name (spec document 2, rule 6).
 * @throws QuireError COLLECTION_NOT_FOUND, FIELD_NOT_FOUND.
 */
export async function deleteField(
  ctx: Context,
  changes: SchemaChanges,
  address: { collection: string; field: string },
): Promise<{ success: true; deleted: true }> {
  return changes.withTableLock(ctx, address.collection, async ({ tx, collection, table }) => {
    const stored = (await selectFields(tx, collection.id)).find(({ slug }) => slug === address.field);
    if (!stored)
      throw new QuireError('FIELD_NOT_FOUND', `'${address.collection}' has no field '${address.field}'`);
    await tx.repository(Field).delete({ id: stored.id });
    await dropFieldColumn(tx, table, fieldDefinition(stored));
    await unbindReferenceField(tx, fieldDefinition(stored));
    await deleteFieldData(tx, collection.slug, stored.slug);
    await tx.query(
      `UPDATE collections SET title_field = nullif(title_field, $2), date_field = nullif(date_field, $2) WHERE id = $1`,
      [collection.id, stored.slug],
    );
    await audit(ctx, tx, {
      action: 'field.deleted',
      target: { type: 'field', id: stored.slug },
      details: { collection: collection.slug },
    });
    return { success: true, deleted: true };
  });
}
