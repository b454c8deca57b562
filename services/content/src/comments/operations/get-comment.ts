import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { commentById } from '../comments.repository.js';
import type { CommentAnswer } from '../comments.schemas.js';

/** A comment as moderators see it. @throws QuireError NOT_FOUND */
export async function getComment(ctx: Context, id: string): Promise<CommentAnswer> {
  const comment = await commentById(ctx.db, id);
  if (!comment) throw notFound('comment');
  return comment;
}
