import type { Context } from '@quire/context';
import { notifyApproved, selectApprovalNotices } from './notify-approved.js';
import type { CommentDeps } from './comment-deps.js';
import type { CommentStatus } from './comment.entity.js';
import { selectCommentedEntries, updateStatuses } from './comments.repository.js';
import type { CommentResponse } from './comments.schemas.js';

/**
 * Gives comments a status, and has the authors of their entries told of those that are approved for the first time.
 * @returns those of the ids that exist.
 */
export async function setCommentStatus(
  ctx: Context,
  deps: CommentDeps,
  ids: readonly string[],
  status: CommentStatus,
): Promise<CommentResponse[]> {
  if (status !== 'approved') return updateStatuses(ctx.db, ids, status);
  // Read before anything is held: whoever deletes a collection holds it before its comments.
  const notices = await selectApprovalNotices(ctx.db, await selectCommentedEntries(ctx.db, ids));
  return ctx.db.transaction(async (tx) => {
    const comments = await updateStatuses(tx, ids, status);
    await notifyApproved(ctx, tx, deps, { ids, notices });
    return comments;
  });
}
