import { identifier, literal, type Queryable } from '@quire/database';
import { contentApi } from '@quire/internal-api';
import {
  indexMediaUsageEntry,
  indexSearchEntry,
  outboxRow,
  sendMessage,
  syncMediaUsageCollection,
  syncSearchCollection,
} from '@quire/jobs';
import { sharedSchema } from '@quire/tenancy';

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

const rowChanges = ['INSERT', 'UPDATE', 'DELETE'];

/** Subscribes to every change of a collection's entries, from the commit on. Idempotent. */
export async function subscribe(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  collection: SubscribedCollection,
): Promise<void> {
  await unsubscribe(tx, subscriber, collection);
  await tx.query('INSERT INTO change_subscriptions (subscriber, collection_id) VALUES ($1, $2)', [
    subscriber,
    collection.id,
  ]);
  const { entryChanged } = subscriberJobs[subscriber];
  const { tenantId, id, slug, table } = collection;
  const triggerArguments = [entryChanged.name, tenantId, id, slug].map(literal).join(', ');
  for (const event of rowChanges) {
    await tx.query(
      `CREATE TRIGGER ${triggerName(subscriber, event)} AFTER ${event} ON ${identifier(table)} FOR EACH ROW
       EXECUTE FUNCTION ${identifier(sharedSchema('content'))}.notify_entry_change(${triggerArguments})`,
    );
  }
}

/** Ends a subscription. Idempotent. */
export async function unsubscribe(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  { id, table }: Pick<SubscribedCollection, 'id' | 'table'>,
): Promise<void> {
  await tx.query('DELETE FROM change_subscriptions WHERE subscriber = $1 AND collection_id = $2', [
    subscriber,
    id,
  ]);
  for (const event of rowChanges)
    await tx.query(`DROP TRIGGER IF EXISTS ${triggerName(subscriber, event)} ON ${identifier(table)}`);
}

const triggerName = (subscriber: contentApi.Subscriber, event: string) =>
  identifier(`notify.${subscriber}.${event.toLowerCase()}`);

/** Starts or ends a subscription to collections that are created from now on. */
export async function subscribeToNewCollections(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  isSubscribed: boolean,
): Promise<void> {
  const statement = isSubscribed
    ? 'INSERT INTO change_subscriptions (subscriber, collection_id) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    : 'DELETE FROM change_subscriptions WHERE subscriber = $1 AND collection_id = $2';
  await tx.query(statement, [subscriber, contentApi.newCollections]);
}

/** Subscribes the subscribers of new collections to this one. */
export async function subscribeNewCollection(tx: Queryable, collection: SubscribedCollection): Promise<void> {
  for (const subscriber of await subscribersOf(tx, contentApi.newCollections))
    await subscribe(tx, subscriber, collection);
  await publishCollectionChange(tx, collection, { deleted: false });
}

/** Sends the subscribers of a collection a message that it has changed or was deleted, with the commit. */
export async function publishCollectionChange(
  tx: Queryable,
  { tenantId, id, slug }: Omit<SubscribedCollection, 'table'>,
  { deleted }: { deleted: boolean },
): Promise<void> {
  for (const subscriber of await subscribersOf(tx, id)) {
    const message = { tenantId, collectionId: id, collection: slug, deleted };
    await sendMessage(tx, 'content', outboxRow(subscriberJobs[subscriber].collectionChanged, message));
  }
  if (deleted) await tx.query('DELETE FROM change_subscriptions WHERE collection_id = $1', [id]);
}

/** Whether a subscriber receives the changes of a collection; undefined when the collection does not exist. */
export async function isSubscribed(
  sql: Queryable,
  subscriber: contentApi.Subscriber,
  slug: string,
): Promise<boolean | undefined> {
  const [row] = await sql.query<{ isSubscribed: boolean }>(
    `SELECT EXISTS (
       SELECT FROM change_subscriptions s WHERE s.subscriber = $1 AND s.collection_id = c.id
     ) AS "isSubscribed" FROM collections c WHERE c.slug = $2`,
    [subscriber, slug],
  );
  return row?.isSubscribed;
}

/** Whether a collection has subscribers. */
export async function hasSubscribers(sql: Queryable, collectionId: string): Promise<boolean> {
  return (await subscribersOf(sql, collectionId)).length > 0;
}

async function subscribersOf(sql: Queryable, collectionId: string): Promise<contentApi.Subscriber[]> {
  const rows = await sql.query<{ subscriber: contentApi.Subscriber }>(
    'SELECT subscriber FROM change_subscriptions WHERE collection_id = $1 ORDER BY subscriber',
    [collectionId],
  );
  return rows.map(({ subscriber }) => subscriber);
}
