import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { CommentStatus } from '../comment.entity.js';
import { setStatus } from '../comments.repository.js';
import type { CommentAnswer } from '../comments.schemas.js';

/** Moves a comment to any status, from any other. @throws QuireError NOT_FOUND */
export async function updateCommentStatus(
  ctx: Context,
  id: string,
  status: CommentStatus,
): Promise<CommentAnswer> {
  const [comment] = await setStatus(ctx.db, [id], status);
  if (!comment) throw notFound('comment');
  return comment;
}
