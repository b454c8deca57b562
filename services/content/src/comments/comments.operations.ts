import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { notFound } from '@quire/errors';
import { assertPermission } from '@quire/permissions';
import type { CommentDeps } from './comment-deps.js';
import type { CommentStatus } from './comment.entity.js';
import {
  adminCommentOrder,
  deleteCommentRows,
  selectComment,
  selectCommentedEntries,
  selectComments,
  selectCountsByStatus,
  updateCommentStatuses,
  type StoredComment,
} from './comments.repository.js';
import type { AdminListQuery, BulkAction } from './comments.schemas.js';
import { notifyApproved, selectApprovalNotices } from './notify-approved.js';

const statusAfter: Record<Exclude<BulkAction, 'delete'>, CommentStatus> = {
  approve: 'approved',
  spam: 'spam',
  trash: 'trash',
};

/**
 * @returns one page of the comments in a status, newest first; `search` matches name, e-mail and text (contract 16).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listAdminComments(
  ctx: Context,
  { limit, cursor, ...filters }: AdminListQuery,
): Promise<{ items: StoredComment[]; nextCursor?: string }> {
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'listAdminComments', tenant: tenant.id, filters });
  const page = new KeysetPage(adminCommentOrder, scope, { cursor, limit });
  const rows = await selectComments(ctx.db, filters, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

/** @returns the number of the site's comments by status (contract 16). */
export function getCommentCounts(ctx: Context): Promise<Record<CommentStatus, number>> {
  return selectCountsByStatus(ctx.db);
}

/** @returns one comment (contract 16). @throws QuireError NOT_FOUND. */
export async function getComment(ctx: Context, id: string): Promise<StoredComment> {
  const comment = await selectComment(ctx.db, id);
  if (!comment) throw notFound('comment');
  return comment;
}

/** Moves a comment from any status to any other (contract 16). @throws QuireError NOT_FOUND. */
export async function updateCommentStatus(
  ctx: Context,
  deps: CommentDeps,
  { id, status }: { id: string; status: CommentStatus },
): Promise<StoredComment> {
  const [comment] = await setCommentStatus(ctx, deps, [id], status);
  if (!comment) throw notFound('comment');
  return comment;
}

/** Deletes a comment, and with a root its replies (contract 16). @throws QuireError NOT_FOUND. */
export async function deleteComment(ctx: Context, id: string): Promise<{ deleted: true }> {
  if ((await deleteComments(ctx, [id])) === 0) throw notFound('comment');
  return { deleted: true };
}

/**
 * Applies one action to all given comments, or to none (contract 16).
 * @returns how many of the ids exist; a repeated id counts once.
 * @throws QuireError FORBIDDEN (`delete` needs comments:delete).
 */
export async function bulkCommentAction(
  ctx: Context,
  deps: CommentDeps,
  { ids, action }: { ids: readonly string[]; action: BulkAction },
): Promise<{ affected: number }> {
  if (action !== 'delete')
    return { affected: (await setCommentStatus(ctx, deps, ids, statusAfter[action])).length };
  assertPermission(ctx.principal, 'comments:delete');
  return { affected: await deleteComments(ctx, ids) };
}

/**
 * Sets the status of comments. A first approval notifies the author of the entry.
 * @returns the comments of the ids that exist.
 */
async function setCommentStatus(
  ctx: Context,
  deps: CommentDeps,
  ids: readonly string[],
  status: CommentStatus,
): Promise<StoredComment[]> {
  if (status !== 'approved') return updateCommentStatuses(ctx.db, ids, status);
  // Read before any row is locked: the deletion of a collection locks the collection before its comments.
  const notices = await selectApprovalNotices(ctx.db, await selectCommentedEntries(ctx.db, ids));
  return ctx.db.transaction(async (tx) => {
    const comments = await updateCommentStatuses(tx, ids, status);
    await notifyApproved(ctx, tx, deps, { ids, notices });
    return comments;
  });
}

/** Deletes comments, and with roots their replies. @returns how many of the ids existed. */
function deleteComments(ctx: Context, ids: readonly string[]): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const deletedIds = await deleteCommentRows(tx, ids);
    const target = (id: string) => ({ type: 'comment', id }) as const;
    await audit(
      ctx,
      tx,
      deletedIds.map((id) => ({ action: 'comment.deleted', target: target(id) })),
    );
    return deletedIds.length;
  });
}
