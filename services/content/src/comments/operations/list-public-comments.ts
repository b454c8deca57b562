import type { Context } from '@quire/context';
import { cursorScope, KeysetPage, Parameters } from '@quire/database';
import { QuireError } from '@quire/errors';
import { commentSettings, assertEntryPublished, type CommentTarget } from '../comment-settings.js';
import type { PublicComment } from '../comments.schemas.js';

export interface PublicPage {
  items: PublicComment[];
  nextCursor?: string;
  /** All that anybody may see of the entry, replies included. */
  total: number;
}

/** Most comments in an answer that is not paged. */
const maxThreadedComments = 500;
const order = {
  column: 'c.created_at',
  idColumn: 'c.id',
  direction: 'asc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

const columns = `c.id, c.author_name AS "authorName", c.author_user_id IS NOT NULL AS "isRegisteredUser", c.body,
  c.parent_id AS "parentId", c.created_at AS "createdAt"`;
/** An approved reply is not shown while its root is not: $1 is the collection, $2 the entry. */
const visible = `FROM comments c LEFT JOIN comments r ON r.id = c.parent_id
  WHERE c.content_id = $2 AND c.collection = $1 AND c.status = 'approved'
    AND (c.parent_id IS NULL OR r.status = 'approved')`;

/**
 * One page of the approved comments of a published entry, oldest first, replies among them (contract 16).
 * @throws QuireError NOT_FOUND, COMMENTS_DISABLED, INVALID_CURSOR.
 */
export async function listPublicComments(
  ctx: Context,
  target: CommentTarget,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<PublicPage> {
  await assertReadable(ctx, target);
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'listPublicComments', tenant: tenant.id, target });
  const page = new KeysetPage(order, scope, { cursor, limit });
  const params = new Parameters();
  params.values.push(target.collection, target.contentId);
  const rows = await ctx.db.query<PublicComment>(
    `SELECT ${columns} ${visible} AND ${page.condition(params)} ${page.order(params)}`,
    params.values,
  );
  const cut = page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  return { ...cut, total: await countVisible(ctx, target) };
}

/**
 * The approved comments of a published entry as threads: roots, oldest first, each with its replies. At most 500
 * comments, whole threads first to last; there is no next page.
 * @throws QuireError NOT_FOUND, COMMENTS_DISABLED, INVALID_CURSOR (no cursor belongs to this list).
 */
export async function listPublicThreads(
  ctx: Context,
  target: CommentTarget,
  { cursor }: { cursor?: string | undefined },
): Promise<PublicPage> {
  await assertReadable(ctx, target);
  if (cursor !== undefined) throw new QuireError('INVALID_CURSOR', 'cursor: not supported with threads');
  const rows = await ctx.db.query<PublicComment>(
    `SELECT ${columns} ${visible}
     ORDER BY coalesce(r.created_at, c.created_at), coalesce(r.id, c.id), c.parent_id NULLS FIRST, c.created_at, c.id
     LIMIT ${maxThreadedComments}`,
    [target.collection, target.contentId],
  );
  const roots = new Map<string, PublicComment & { replies: PublicComment[] }>();
  for (const row of rows) {
    if (row.parentId === null) roots.set(row.id, { ...row, replies: [] });
    else roots.get(row.parentId)?.replies.push(row);
  }
  return { items: [...roots.values()], total: await countVisible(ctx, target) };
}

async function assertReadable(ctx: Context, target: CommentTarget): Promise<void> {
  await commentSettings(ctx, target.collection);
  await assertEntryPublished(ctx.db, target);
}

async function countVisible(ctx: Context, target: CommentTarget): Promise<number> {
  const [row] = await ctx.db.query<{ total: number }>(`SELECT count(*) AS total ${visible}`, [
    target.collection,
    target.contentId,
  ]);
  return row?.total ?? 0;
}
