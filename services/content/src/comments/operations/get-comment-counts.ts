import type { Context } from '@quire/context';
import type { CommentStatus } from '../comment.entity.js';

/** How many comments of the site are in each status. */
export async function getCommentCounts(ctx: Context): Promise<Record<CommentStatus, number>> {
  const rows = await ctx.db.query<{ status: CommentStatus; count: number }>(
    'SELECT status, count(*) AS count FROM comments GROUP BY status',
  );
  const counts = { pending: 0, approved: 0, spam: 0, trash: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}
