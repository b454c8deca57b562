import type { Context } from '@quire/context';
import {
  subscribe,
  subscribeToNewCollections,
  isSubscribed,
  newCollections,
  unsubscribe,
  type Subscriber,
} from '../../../integration/change-subscriptions/index.js';
import type { SchemaChanges } from '../../schema-change.js';

export interface SubscriptionRequest {
  follower: Subscriber;
  /** Slug of a collection, or `*` for those that are made from now on. */
  collection: string;
  follows: boolean;
}

/**
 * Has a service told of the changes of a collection's entries, or no more. It waits for writers that are under way, so
 * that every change after it is told of. Asking twice changes nothing.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when writers hold on.
 */
export async function subscribeToCollection(
  ctx: Context,
  changes: SchemaChanges,
  { follower, collection: slug, follows: isWanted }: SubscriptionRequest,
): Promise<void> {
  if (slug === newCollections)
    return changes.run(ctx, (tx) => subscribeToNewCollections(tx, follower, isWanted));
  // Nobody has to wait for what is so already.
  if ((await isSubscribed(ctx.db, follower, slug)) === isWanted) return;
  // Triggers are dropped and made, which readers would wait for behind a weaker lock.
  await changes.withTableLock(ctx, slug, ({ tx, collection: { id }, table }) => {
    const followed = { tenantId: ctx.principal.tenant.id, id, slug, table };
    return isWanted ? subscribe(tx, follower, followed) : unsubscribe(tx, follower, followed);
  });
}
