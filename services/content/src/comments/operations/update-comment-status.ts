import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { CommentDeps } from '../comment-deps.js';
import type { CommentStatus } from '../comment.entity.js';
import type { CommentResponse } from '../comments.schemas.js';
import { setCommentStatus } from '../set-comment-status.js';

/** Moves a comment to any status, from any other. @throws QuireError NOT_FOUND */
export async function updateCommentStatus(
  ctx: Context,
  deps: CommentDeps,
  id: string,
  status: CommentStatus,
): Promise<CommentResponse> {
  const [comment] = await setCommentStatus(ctx, deps, [id], status);
  if (!comment) throw notFound('comment');
  return comment;
}
