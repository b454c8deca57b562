import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { removeComments } from '../comments.repository.js';

/** Removes a comment for good, a root with its replies. @throws QuireError NOT_FOUND */
export async function deleteComment(ctx: Context, id: string): Promise<void> {
  if ((await removeComments(ctx.db, [id])) === 0) throw notFound('comment');
}
