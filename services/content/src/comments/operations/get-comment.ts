import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { selectComment } from '../comments.repository.js';
import type { CommentResponse } from '../comments.schemas.js';

/** A comment as moderators see it. @throws QuireError NOT_FOUND */
export async function getComment(ctx: Context, id: string): Promise<CommentResponse> {
  const comment = await selectComment(ctx.db, id);
  if (!comment) throw notFound('comment');
  return comment;
}
