import type { Context } from '@quire/context';
import { columnsOf, hasSqlState, identifier, sqlState, type Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { Collection, contentTableName } from '../schema/index.js';

/** The entry of comments. */
export interface CommentTarget {
  /** Slug of the collection. */
  collection: string;
  /** Id of the entry. */
  contentId: string;
}

/** The comment settings of a collection. */
export type CommentSettings = Pick<
  Collection,
  'commentsModeration' | 'commentsClosedAfterDays' | 'commentsAutoApproveUsers'
>;

const columns = columnsOf(Collection, {
  only: ['commentsEnabled', 'commentsModeration', 'commentsClosedAfterDays', 'commentsAutoApproveUsers'],
});

/**
 * Reads the comment settings of a collection without a cache: disabled comments are rejected from the next request on.
 * @throws QuireError NOT_FOUND (collection), COMMENTS_DISABLED.
 */
export async function getCommentSettings(ctx: Context, slug: string): Promise<CommentSettings> {
  const [collection] = await ctx.db.query<CommentSettings & Pick<Collection, 'commentsEnabled'>>(
    `SELECT ${columns} FROM collections WHERE slug = $1`,
    [slug],
  );
  if (!collection) throw notFound('collection');
  if (!collection.commentsEnabled)
    throw new QuireError('COMMENTS_DISABLED', `Comments are disabled for the collection '${slug}'`);
  return collection;
}

/**
 * Asserts that an entry is published.
 * @param options.closedAfterDays 0 for never
 * @param options.withRowLock keeps the entry published until the transaction ends
 * @returns whether more than `closedAfterDays` have passed since its publication.
 * @throws QuireError NOT_FOUND.
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
    // The collection was deleted after its settings were read.
    if (hasSqlState(error, sqlState.undefinedTable)) throw notFound('collection');
    throw error;
  }
}
