import type { Context } from '@quire/context';
import { selectCollection, invalidateGenerations, type CollectionRow } from '../collections/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enqueueTask } from '../tasks/index.js';

const maxAttempts = 3;

/**
 * Has content tell of a collection's changes exactly when the collection can be searched. Where somebody else switches
 * search on or off at the same time, the two may have asked content in the other order than they wrote: so what is
 * written is looked at again.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when writers of the collection hold on.
 */
export async function syncSubscription(
  ctx: Context,
  { content }: SearchDeps,
  { collectionId, slug, enabled }: Pick<CollectionRow, 'collectionId' | 'slug' | 'enabled'>,
): Promise<void> {
  let follows = enabled;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    await content.follow(ctx, slug, follows);
    const now = await selectCollection(ctx.db, collectionId);
    if (!now || now.enabled === follows) return;
    follows = now.enabled;
    // Of what was told to nobody in between, nothing knows.
    await ctx.db.transaction(async (tx) => {
      await invalidateGenerations(tx, collectionId);
      await enqueueTask(tx, { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' });
    });
  }
}
