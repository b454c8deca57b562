import type { Context } from '@quire/context';
import { contentApi } from '@quire/internal-api';
import {
  subscribe,
  subscribeToNewCollections,
  isSubscribed,
  unsubscribe,
} from '../../../integration/change-subscriptions/index.js';
import type { SchemaChanges } from '../../schema-change.js';

/**
 * Subscribes a service to the changes of a collection's entries, or unsubscribes it. Waits for running writers of the
 * collection, so that the subscriber receives every later change. Idempotent.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when writers do not finish in time.
 */
export async function updateChangeSubscription(
  ctx: Context,
  changes: SchemaChanges,
  { subscriber, collection: slug, isSubscribed: isWanted }: contentApi.ChangeSubscription,
): Promise<void> {
  if (slug === contentApi.newCollections)
    return changes.run(ctx, (tx) => subscribeToNewCollections(tx, subscriber, isWanted));
  // An unchanged subscription needs no lock.
  if ((await isSubscribed(ctx.db, subscriber, slug)) === isWanted) return;
  // Triggers are dropped and created, which would make readers wait behind a weaker lock.
  await changes.withTableLock(ctx, slug, ({ tx, collection: { id }, table }) => {
    const subscribed = { tenantId: ctx.principal.tenant.id, id, slug, table };
    return isWanted ? subscribe(tx, subscriber, subscribed) : unsubscribe(tx, subscriber, subscribed);
  });
}
