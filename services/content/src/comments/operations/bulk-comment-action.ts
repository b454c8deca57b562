import type { Context } from '@quire/context';
import { assertPermission } from '@quire/permissions';
import type { CommentDeps } from '../comment-deps.js';
import type { CommentStatus } from '../comment.entity.js';
import type { BulkAction } from '../comments.schemas.js';
import { setCommentStatus } from '../set-comment-status.js';
import { deleteComments } from './delete-comment.js';

const statusAfter: Record<Exclude<BulkAction, 'delete'>, CommentStatus> = {
  approve: 'approved',
  spam: 'spam',
  trash: 'trash',
};

/**
 * Does one thing to many comments, to all or to none.
 * @returns how many of the ids exist; an id that is named twice counts once.
 * @throws QuireError FORBIDDEN (to delete needs comments:delete).
 */
export async function bulkCommentAction(
  ctx: Context,
  deps: CommentDeps,
  ids: readonly string[],
  action: BulkAction,
): Promise<number> {
  if (action !== 'delete') return (await setCommentStatus(ctx, deps, ids, statusAfter[action])).length;
  assertPermission(ctx.principal, 'comments:delete');
  return deleteComments(ctx, ids);
}
