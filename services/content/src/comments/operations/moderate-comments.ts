import type { Context } from '@quire/context';
import { requirePermission } from '@quire/permissions';
import type { CommentServices } from '../comment-services.js';
import type { CommentStatus } from '../comment.entity.js';
import type { BulkAction } from '../comments.schemas.js';
import { moderate } from '../moderate.js';
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
export async function moderateComments(
  ctx: Context,
  services: CommentServices,
  ids: readonly string[],
  action: BulkAction,
): Promise<number> {
  if (action !== 'delete') return (await moderate(ctx, services, ids, statusAfter[action])).length;
  requirePermission(ctx.principal, 'comments:delete');
  return deleteComments(ctx, ids);
}
