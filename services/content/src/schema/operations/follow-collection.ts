import type { Context } from '@quire/context';
import {
  follow,
  followNewCollections,
  follows,
  newCollections,
  unfollow,
  type Follower,
} from '../../changes/index.js';
import type { SchemaChanges } from '../schema-change.js';

export interface Following {
  follower: Follower;
  /** Slug of a collection, or `*` for those that are made from now on. */
  collection: string;
  follows: boolean;
}

/**
 * Has a service told of the changes of a collection's entries, or no more. It waits for writers that are under way, so that
 * every change after it is told of. Asking twice changes nothing.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when writers hold on.
 */
export async function followCollection(
  ctx: Context,
  changes: SchemaChanges,
  { follower, collection: slug, follows: isWanted }: Following,
): Promise<void> {
  if (slug === newCollections) return changes.run(ctx, (tx) => followNewCollections(tx, follower, isWanted));
  // Nobody has to wait for what is so already.
  if ((await follows(ctx.db, follower, slug)) === isWanted) return;
  // Triggers are dropped and made, which readers would wait for behind a weaker lock.
  await changes.ofTable(ctx, slug, ({ tx, collection: { id }, table }) => {
    const followed = { tenantId: ctx.principal.tenant.id, id, slug, table };
    return isWanted ? follow(tx, follower, followed) : unfollow(tx, follower, followed);
  });
}
