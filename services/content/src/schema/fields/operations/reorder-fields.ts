import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { selectFields, type SchemaChanges } from '../../schema-change.js';
import { assertDistinct } from '../../collections/operations/reorder-collections.js';

/**
 * Sets the display order of a collection's fields; fields that are not named follow in their present order.
 * @throws QuireError COLLECTION_NOT_FOUND, FIELD_NOT_FOUND, DUPLICATE_SLUG (the last two with details.slugs).
 */
export async function reorderFields(
  ctx: Context,
  changes: SchemaChanges,
  collectionSlug: string,
  slugs: readonly string[],
): Promise<{ success: true }> {
  assertDistinct(slugs);
  return changes.withCollectionLock(ctx, collectionSlug, async ({ tx, collection }) => {
    const present = (await selectFields(tx, collection.id)).map(({ slug }) => slug);
    const unknown = slugs.filter((slug) => !present.includes(slug));
    if (unknown.length > 0) {
      throw new QuireError('FIELD_NOT_FOUND', `Fields not found: ${unknown.join(', ')}`, {
        details: { slugs: unknown },
      });
    }
    const order = [...slugs, ...present.filter((slug) => !slugs.includes(slug))];
    await tx.query(
      'UPDATE fields SET sort_order = array_position($1::text[], slug) - 1 WHERE collection_id = $2',
      [order, collection.id],
    );
    const target = { type: 'collection', id: collectionSlug } as const;
    await audit(ctx, tx, { action: 'field.reordered', target });
    return { success: true };
  });
}
