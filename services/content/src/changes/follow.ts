import { identifier, literal, type Sql } from '@quire/database';
import { outboxRow, sendMessage } from '@quire/messages';
import { sharedSchema } from '@quire/tenancy';
import { followers, newCollections, type Follower } from './followers.js';

/** A collection whose changes are followed. */
export interface FollowedCollection {
  tenantId: string;
  id: string;
  slug: string;
  table: string;
}

const rowChanges = ['INSERT', 'UPDATE', 'DELETE'];

/** Has a follower told of every change of a collection's entries from the commit on. Nothing changes when it is already. */
export async function follow(tx: Sql, follower: Follower, collection: FollowedCollection): Promise<void> {
  await unfollow(tx, follower, collection);
  await tx.query('INSERT INTO change_followers (follower, collection_id) VALUES ($1, $2)', [
    follower,
    collection.id,
  ]);
  const { entryChanged } = followers[follower];
  const { tenantId, id, slug, table } = collection;
  const told = [entryChanged.name, tenantId, id, slug].map(literal).join(', ');
  for (const event of rowChanges) {
    await tx.query(
      `CREATE TRIGGER ${triggerName(follower, event)} AFTER ${event} ON ${identifier(table)} FOR EACH ROW
       EXECUTE FUNCTION ${identifier(sharedSchema('content'))}.announce_entry_change(${told})`,
    );
  }
}

/** Ends it. Nothing changes when the follower is not told of the collection. */
export async function unfollow(
  tx: Sql,
  follower: Follower,
  { id, table }: Pick<FollowedCollection, 'id' | 'table'>,
): Promise<void> {
  await tx.query('DELETE FROM change_followers WHERE follower = $1 AND collection_id = $2', [follower, id]);
  for (const event of rowChanges)
    await tx.query(`DROP TRIGGER IF EXISTS ${triggerName(follower, event)} ON ${identifier(table)}`);
}

const triggerName = (follower: Follower, event: string) =>
  identifier(`announce.${follower}.${event.toLowerCase()}`);

/** Whether a follower is to be told of the collections that are made from now on. */
export async function followNewCollections(tx: Sql, follower: Follower, follows: boolean): Promise<void> {
  const statement = follows
    ? 'INSERT INTO change_followers (follower, collection_id) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    : 'DELETE FROM change_followers WHERE follower = $1 AND collection_id = $2';
  await tx.query(statement, [follower, newCollections]);
}

/** Has those who follow new collections follow this one. */
export async function followWhenNew(tx: Sql, collection: FollowedCollection): Promise<void> {
  for (const follower of await followersOf(tx, newCollections)) await follow(tx, follower, collection);
  await announceCollectionChange(tx, collection, { deleted: false });
}

/** Tells the followers of a collection that it has changed or is gone, with the commit. */
export async function announceCollectionChange(
  tx: Sql,
  { tenantId, id, slug }: Omit<FollowedCollection, 'table'>,
  { deleted }: { deleted: boolean },
): Promise<void> {
  for (const follower of await followersOf(tx, id)) {
    const message = { tenantId, collectionId: id, collection: slug, deleted };
    await sendMessage(tx, 'content', outboxRow(followers[follower].collectionChanged, message));
  }
  if (deleted) await tx.query('DELETE FROM change_followers WHERE collection_id = $1', [id]);
}

/** Whether a follower is told of the changes of a collection; undefined when there is no such collection. */
export async function follows(sql: Sql, follower: Follower, slug: string): Promise<boolean | undefined> {
  const [row] = await sql.query<{ follows: boolean }>(
    `SELECT EXISTS (
       SELECT FROM change_followers f WHERE f.follower = $1 AND f.collection_id = c.id
     ) AS follows FROM collections c WHERE c.slug = $2`,
    [follower, slug],
  );
  return row?.follows;
}

/** Whether anybody is told of a collection's changes. */
export async function isFollowed(sql: Sql, collectionId: string): Promise<boolean> {
  return (await followersOf(sql, collectionId)).length > 0;
}

async function followersOf(sql: Sql, collectionId: string): Promise<Follower[]> {
  const rows = await sql.query<{ follower: Follower }>(
    'SELECT follower FROM change_followers WHERE collection_id = $1 ORDER BY follower',
    [collectionId],
  );
  return rows.map(({ follower }) => follower);
}
