import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { SchemaChanges } from '../../schema-change.js';

/**
 * Sets the order in the panel; collections that are not named lose theirs and follow by slug.
 * @throws QuireError COLLECTION_NOT_FOUND, DUPLICATE_SLUG (both with details.slugs).
 */
export async function reorderCollections(
  ctx: Context,
  changes: SchemaChanges,
  slugs: readonly string[],
): Promise<{ success: true }> {
  assertDistinct(slugs);
  return changes.run(ctx, async (tx) => {
    const known = await tx.query<{ slug: string }>('SELECT slug FROM collections ORDER BY id FOR UPDATE');
    const unknown = slugs.filter((slug) => !known.some((collection) => collection.slug === slug));
    if (unknown.length > 0) {
      throw new QuireError('COLLECTION_NOT_FOUND', `Collections not found: ${unknown.join(', ')}`, {
        details: { slugs: unknown },
      });
    }
    await tx.query('UPDATE collections SET sort_order = array_position($1::text[], slug) - 1', [slugs]);
    await audit(ctx, tx, { action: 'collection.reordered', target: null });
    return { success: true };
  });
}

/** @throws QuireError DUPLICATE_SLUG with details.slugs. */
export function assertDistinct(slugs: readonly string[]): void {
  const doubled = [...new Set(slugs.filter((slug, index) => slugs.indexOf(slug) !== index))];
  if (doubled.length > 0) {
    throw new QuireError('DUPLICATE_SLUG', `Duplicate slugs: ${doubled.join(', ')}`, {
      details: { slugs: doubled },
    });
  }
}
