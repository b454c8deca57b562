import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { CommentServices } from '../comment-services.js';
import type { CommentStatus } from '../comment.entity.js';
import type { CommentAnswer } from '../comments.schemas.js';
import { moderate } from '../moderate.js';

/** Moves a comment to any status, from any other. @throws QuireError NOT_FOUND */
export async function updateCommentStatus(
  ctx: Context,
  services: CommentServices,
  id: string,
  status: CommentStatus,
): Promise<CommentAnswer> {
  const [comment] = await moderate(ctx, services, [id], status);
  if (!comment) throw notFound('comment');
  return comment;
}
