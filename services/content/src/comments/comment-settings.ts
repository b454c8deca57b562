import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import {
  selectCommentedCollection,
  selectPublishedEntry,
  type CommentSettings,
  type CommentTarget,
} from './comments.repository.js';

/**
 * Reads the comment settings of a collection without a cache: disabled comments are rejected from the next request on.
 * @throws QuireError NOT_FOUND (collection), COMMENTS_DISABLED.
 */
export async function getCommentSettings(ctx: Context, slug: string): Promise<CommentSettings> {
  const collection = await selectCommentedCollection(ctx.db, slug);
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
  target: CommentTarget,
  { closedAfterDays = 0, withRowLock = false }: { closedAfterDays?: number; withRowLock?: boolean } = {},
): Promise<{ isClosed: boolean }> {
  try {
    const entry = await selectPublishedEntry(sql, target, { closedAfterDays, withRowLock });
    if (!entry) throw notFound('entry');
    return entry;
  } catch (error) {
    // The collection was deleted after its settings were read.
    if (hasSqlState(error, sqlState.undefinedTable)) throw notFound('collection');
    throw error;
  }
}
