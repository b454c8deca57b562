import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { deleteCommentRows } from '../comments.repository.js';

/** Removes comments for good, roots with their replies. @returns how many of the ids existed */
export function deleteComments(ctx: Context, ids: readonly string[]): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const removed = await deleteCommentRows(tx, ids);
    const target = (id: string) => ({ type: 'comment', id }) as const;
    await audit(
      ctx,
      tx,
      removed.map((id) => ({ action: 'comment.deleted', target: target(id) })),
    );
    return removed.length;
  });
}

/** Removes a comment for good, a root with its replies. @throws QuireError NOT_FOUND */
export async function deleteComment(ctx: Context, id: string): Promise<void> {
  if ((await deleteComments(ctx, [id])) === 0) throw notFound('comment');
}
