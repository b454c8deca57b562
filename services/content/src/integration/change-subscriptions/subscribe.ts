import type { Queryable } from '@quire/database';
import { contentApi } from '@quire/internal-api';
import {
  indexMediaUsageEntry,
  indexSearchEntry,
  outboxRow,
  sendMessage,
  syncMediaUsageCollection,
  syncSearchCollection,
} from '@quire/jobs';
import {
  createTriggers,
  deleteSubscription,
  deleteSubscriptionsOf,
  dropTriggers,
  insertSubscription,
  insertSubscriptionIfMissing,
  selectSubscribers,
} from './change-subscriptions.repository.js';

/** The jobs that carry the changes of collections to each subscriber. */
const subscriberJobs = {
  'media-usage': { entryChanged: indexMediaUsageEntry, collectionChanged: syncMediaUsageCollection },
  search: { entryChanged: indexSearchEntry, collectionChanged: syncSearchCollection },
} as const satisfies Record<contentApi.Subscriber, object>;

/** A collection whose changes subscribers receive. */
export interface SubscribedCollection {
  tenantId: string;
  id: string;
  slug: string;
  table: string;
}

/** Subscribes to every change of a collection's entries, from the commit on. Idempotent. */
export async function subscribe(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  collection: SubscribedCollection,
): Promise<void> {
  await unsubscribe(tx, subscriber, collection);
  await insertSubscription(tx, subscriber, collection.id);
  const { entryChanged } = subscriberJobs[subscriber];
  const { tenantId, id, slug, table } = collection;
  await createTriggers(tx, subscriber, table, [entryChanged.name, tenantId, id, slug]);
}

/** Ends a subscription. Idempotent. */
export async function unsubscribe(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  { id, table }: Pick<SubscribedCollection, 'id' | 'table'>,
): Promise<void> {
  await deleteSubscription(tx, subscriber, id);
  await dropTriggers(tx, subscriber, table);
}

/** Starts or ends a subscription to collections that are created from now on. */
export async function subscribeToNewCollections(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  isSubscribed: boolean,
): Promise<void> {
  if (isSubscribed) await insertSubscriptionIfMissing(tx, subscriber, contentApi.newCollections);
  else await deleteSubscription(tx, subscriber, contentApi.newCollections);
}

/** Subscribes the subscribers of new collections to this one. */
export async function subscribeNewCollection(tx: Queryable, collection: SubscribedCollection): Promise<void> {
  for (const subscriber of await selectSubscribers(tx, contentApi.newCollections))
    await subscribe(tx, subscriber, collection);
  await publishCollectionChange(tx, collection, { deleted: false });
}

/** Sends the subscribers of a collection a message that it has changed or was deleted, with the commit. */
export async function publishCollectionChange(
  tx: Queryable,
  { tenantId, id, slug }: Omit<SubscribedCollection, 'table'>,
  { deleted }: { deleted: boolean },
): Promise<void> {
  for (const subscriber of await selectSubscribers(tx, id)) {
    const message = { tenantId, collectionId: id, collection: slug, deleted };
    await sendMessage(tx, 'content', outboxRow(subscriberJobs[subscriber].collectionChanged, message));
  }
  if (deleted) await deleteSubscriptionsOf(tx, id);
}
