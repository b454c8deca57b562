import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { QuireError } from '@quire/errors';
import { assertEntryPublished, getCommentSettings } from '../comment-settings.js';
import {
  publicCommentOrder,
  selectVisibleComments,
  selectVisibleCount,
  selectVisibleThreads,
  type CommentTarget,
} from '../comments.repository.js';
import type { PublicComment } from '../comments.schemas.js';

export interface PublicCommentsQuery extends CommentTarget {
  /** Comments on a page of the flat list. */
  limit: number;
  cursor?: string | undefined;
  /** Roots with their replies, without pages; else a flat list. */
  threaded?: boolean;
}

export interface PublicCommentPage {
  items: PublicComment[];
  nextCursor?: string;
  /** All visible comments of the entry, replies included. */
  total: number;
}

/** Comments in a threaded response, which has no pages. */
const maxThreadedComments = 500;

/**
 * Lists the approved comments of a published entry, oldest first: one page with replies among the others, or at most
 * 500 comments as threads, roots with their replies (contract 16).
 * @throws QuireError NOT_FOUND, COMMENTS_DISABLED, INVALID_CURSOR (also for any cursor of a threaded list).
 */
export async function listPublicComments(
  ctx: Context,
  { collection, contentId, threaded = false, ...query }: PublicCommentsQuery,
): Promise<PublicCommentPage> {
  const target = { collection, contentId };
  await getCommentSettings(ctx, collection);
  await assertEntryPublished(ctx.db, target);
  const page = threaded ? await listThreads(ctx, target, query) : await listPage(ctx, target, query);
  return { ...page, total: await selectVisibleCount(ctx.db, contentId) };
}

async function listPage(
  ctx: Context,
  target: CommentTarget,
  query: { limit: number; cursor?: string | undefined },
): Promise<Omit<PublicCommentPage, 'total'>> {
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'listPublicComments', tenant: tenant.id, target });
  const page = new KeysetPage(publicCommentOrder, scope, query);
  const rows = await selectVisibleComments(ctx.db, target, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

async function listThreads(
  ctx: Context,
  target: CommentTarget,
  { cursor }: { cursor?: string | undefined },
): Promise<Omit<PublicCommentPage, 'total'>> {
  if (cursor !== undefined) throw new QuireError('INVALID_CURSOR', 'cursor: not supported with threads');
  const roots = new Map<string, PublicComment & { replies: PublicComment[] }>();
  for (const row of await selectVisibleThreads(ctx.db, target, maxThreadedComments)) {
    if (row.parentId === null) roots.set(row.id, { ...row, replies: [] });
    else roots.get(row.parentId)?.replies.push(row);
  }
  return { items: [...roots.values()] };
}
