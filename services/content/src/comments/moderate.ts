import type { Context } from '@quire/context';
import { announceApproved, noticesOf } from './announce-approved.js';
import type { CommentServices } from './comment-services.js';
import type { CommentStatus } from './comment.entity.js';
import { entriesOfComments, setStatus } from './comments.repository.js';
import type { CommentAnswer } from './comments.schemas.js';

/**
 * Gives comments a status, and has the authors of their entries told of those that are approved for the first time.
 * @returns those of the ids that exist.
 */
export async function moderate(
  ctx: Context,
  services: CommentServices,
  ids: readonly string[],
  status: CommentStatus,
): Promise<CommentAnswer[]> {
  if (status !== 'approved') return setStatus(ctx.db, ids, status);
  // Read before anything is held: whoever deletes a collection holds it before its comments.
  const notices = await noticesOf(ctx.db, await entriesOfComments(ctx.db, ids));
  return ctx.db.transaction(async (tx) => {
    const comments = await setStatus(tx, ids, status);
    await announceApproved(ctx, tx, services, { ids, notices });
    return comments;
  });
}
