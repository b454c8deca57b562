import { plainTextTypes } from '@quire/content-model';
import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Collection } from '../collection.entity.js';
import type { Field } from '../../fields/field.entity.js';
import { toCollectionResponse, type CollectionResponse } from '../../schema.mapper.js';
import { selectFields, type SchemaChanges } from '../../schema-change.js';
import type { CollectionUpdate } from '../../schema.schemas.js';

/**
 * Changes the settings that are sent; null clears the nullable ones.
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_TITLE_FIELD, INVALID_DATE_FIELD.
 */
export async function updateCollection(
  ctx: Context,
  changes: SchemaChanges,
  slug: string,
  update: CollectionUpdate,
): Promise<CollectionResponse> {
  return changes.withCollectionLock(ctx, slug, async ({ tx, collection }) => {
    checkRoles(update, await selectFields(tx, collection.id));
    const collections = tx.repository(Collection);
    const sent = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
    if (Object.keys(sent).length > 0) await collections.update({ id: collection.id }, sent);
    const target = { type: 'collection', id: slug } as const;
    const fields = Object.keys(sent);
    await audit(ctx, tx, { action: 'collection.updated', target, details: { fields } });
    return toCollectionResponse(await collections.findOneByOrFail({ id: collection.id }));
  });
}

const isSent = (slug: string | null | undefined) => slug !== null && slug !== undefined;

function checkRoles({ titleField, dateField }: CollectionUpdate, fields: readonly Field[]): void {
  if (
    isSent(titleField) &&
    !fields.some(({ slug, type }) => slug === titleField && plainTextTypes.has(type))
  ) {
    throw new QuireError(
      'INVALID_TITLE_FIELD',
      `titleField: '${titleField}' is not a text field of the collection`,
    );
  }
  if (isSent(dateField) && !fields.some(({ slug, type }) => slug === dateField && type === 'datetime')) {
    throw new QuireError(
      'INVALID_DATE_FIELD',
      `dateField: '${dateField}' is not a datetime field of the collection`,
    );
  }
}
