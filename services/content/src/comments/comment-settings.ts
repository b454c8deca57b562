import type { Context } from '@quire/context';
import { hasSqlState, identifier, sqlState, type Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { contentTableName, type Collection } from '../schema/index.js';

/** Which entry comments are about. */
export interface CommentTarget {
  /** Slug of the collection. */
  collection: string;
  /** Id of the entry. */
  contentId: string;
}

/** How a collection takes comments. */
export type CommentSettings = Pick<
  Collection,
  'commentsModeration' | 'commentsClosedAfterDays' | 'commentsAutoApproveUsers'
>;

/**
 * The comment settings of a collection, as they are now: turning comments off holds for the next request.
 * @throws QuireError NOT_FOUND (collection), COMMENTS_DISABLED.
 */
export async function commentSettings(ctx: Context, slug: string): Promise<CommentSettings> {
  const [collection] = await ctx.db.query<CommentSettings & Pick<Collection, 'commentsEnabled'>>(
    `SELECT comments_enabled AS "commentsEnabled", comments_moderation AS "commentsModeration",
       comments_closed_after_days AS "commentsClosedAfterDays",
       comments_auto_approve_users AS "commentsAutoApproveUsers"
     FROM collections WHERE slug = $1`,
    [slug],
  );
  if (!collection) throw notFound('collection');
  if (!collection.commentsEnabled)
    throw new QuireError('COMMENTS_DISABLED', `Comments are disabled for the collection '${slug}'`);
  return collection;
}

/**
 * Makes sure that an entry is published.
 * @param options.closedAfterDays 0 for never.
 * @param options.withRowLock keeps it so until the transaction ends: it cannot be trashed, removed or unpublished
 *   meanwhile.
 * @returns whether so many days have passed since it was published.
 * @throws QuireError NOT_FOUND
 */
export async function assertEntryPublished(
  sql: Queryable,
  { collection, contentId }: CommentTarget,
  { closedAfterDays = 0, withRowLock = false }: { closedAfterDays?: number; withRowLock?: boolean } = {},
): Promise<{ isClosed: boolean }> {
  const statement = `SELECT $2::integer > 0 AND coalesce(published_at + make_interval(days => $2) <= now(), false)
      AS "isClosed"
    FROM ${identifier(contentTableName(collection))}
    WHERE id = $1 AND status = 'published' AND deleted_at IS NULL${withRowLock ? ' FOR SHARE' : ''}`;
  try {
    const [entry] = await sql.query<{ isClosed: boolean }>(statement, [contentId, closedAfterDays]);
    if (!entry) throw notFound('entry');
    return entry;
  } catch (error) {
    // The collection was removed since its settings were read.
    if (hasSqlState(error, sqlState.undefinedTable)) throw notFound('collection');
    throw error;
  }
}
