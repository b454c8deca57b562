import type { Context } from '@quire/context';
import { selectCollection, invalidateGenerations, type CollectionRow } from '../collections/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enqueueReconciliation } from '../tasks/index.js';

const maxAttempts = 3;

/**
 * Subscribes to a collection's changes exactly while it is searchable. Two concurrent requests may reach content in
 * another order than the database, so the stored setting is read again afterwards.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE while writers of the collection keep their locks.
 */
export async function syncSubscription(
  ctx: Context,
  { content }: SearchDeps,
  { collectionId, slug, enabled }: Pick<CollectionRow, 'collectionId' | 'slug' | 'enabled'>,
): Promise<void> {
  let isSubscribed = enabled;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    await content.setSubscription(ctx, slug, isSubscribed);
    const current = await selectCollection(ctx.db, collectionId);
    if (!current || current.enabled === isSubscribed) return;
    isSubscribed = current.enabled;
    // Changes without a subscription in between are unknown.
    await ctx.db.transaction(async (tx) => {
      await invalidateGenerations(tx, collectionId);
      await enqueueReconciliation(tx, ctx.principal.tenant, collectionId);
    });
  }
}
