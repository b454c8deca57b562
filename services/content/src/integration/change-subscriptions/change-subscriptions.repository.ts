import { identifier, literal, type Queryable } from '@quire/database';
import type { contentApi } from '@quire/internal-api';
import { sharedSchema } from '@quire/tenancy';

const rowChanges = ['INSERT', 'UPDATE', 'DELETE'];

/** @param collectionId of a collection, or `newCollections` */
export async function insertSubscription(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  collectionId: string,
): Promise<void> {
  await tx.query('INSERT INTO change_subscriptions (subscriber, collection_id) VALUES ($1, $2)', [
    subscriber,
    collectionId,
  ]);
}

/** As `insertSubscription`; does nothing for a stored subscription. */
export async function insertSubscriptionIfMissing(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  collectionId: string,
): Promise<void> {
  await tx.query(
    'INSERT INTO change_subscriptions (subscriber, collection_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [subscriber, collectionId],
  );
}

export async function deleteSubscription(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  collectionId: string,
): Promise<void> {
  await tx.query('DELETE FROM change_subscriptions WHERE subscriber = $1 AND collection_id = $2', [
    subscriber,
    collectionId,
  ]);
}

/** Deletes the subscriptions of all subscribers to a collection. */
export async function deleteSubscriptionsOf(tx: Queryable, collectionId: string): Promise<void> {
  await tx.query('DELETE FROM change_subscriptions WHERE collection_id = $1', [collectionId]);
}

/** @returns the subscribers of a collection, or of `newCollections`. */
export async function selectSubscribers(
  sql: Queryable,
  collectionId: string,
): Promise<contentApi.Subscriber[]> {
  const rows = await sql.query<{ subscriber: contentApi.Subscriber }>(
    'SELECT subscriber FROM change_subscriptions WHERE collection_id = $1 ORDER BY subscriber',
    [collectionId],
  );
  return rows.map(({ subscriber }) => subscriber);
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

/**
 * Creates the triggers that send a subscriber the changes of a table's rows.
 * @param notification arguments of the trigger function: name of the job, tenant, id and slug of the collection
 */
export async function createTriggers(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  table: string,
  notification: readonly string[],
): Promise<void> {
  const triggerArguments = notification.map(literal).join(', ');
  for (const event of rowChanges) {
    await tx.query(
      `CREATE TRIGGER ${triggerName(subscriber, event)} AFTER ${event} ON ${identifier(table)} FOR EACH ROW
       EXECUTE FUNCTION ${identifier(sharedSchema('content'))}.notify_entry_change(${triggerArguments})`,
    );
  }
}

/** Drops the triggers of a subscriber, if they exist. */
export async function dropTriggers(
  tx: Queryable,
  subscriber: contentApi.Subscriber,
  table: string,
): Promise<void> {
  for (const event of rowChanges)
    await tx.query(`DROP TRIGGER IF EXISTS ${triggerName(subscriber, event)} ON ${identifier(table)}`);
}

const triggerName = (subscriber: contentApi.Subscriber, event: string) =>
  identifier(`notify.${subscriber}.${event.toLowerCase()}`);
