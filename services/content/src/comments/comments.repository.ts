import type { Queryable } from '@quire/database';
import type { CommentTarget } from './comment-settings.js';
import type { CommentStatus } from './comment.entity.js';
import type { CommentResponse } from './comments.schemas.js';

/** Columns of a comment as moderators see it, of `comments c`. */
export const commentColumns = `c.id, c.collection, c.content_id AS "contentId", c.author_name AS "authorName",
  c.author_email AS "authorEmail", c.author_user_id AS "authorUserId", c.body, c.status, c.parent_id AS "parentId",
  c.ip_hash AS "ipHash", c.user_agent AS "userAgent", c.moderation_metadata AS "moderationMetadata",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

export async function selectComment(sql: Queryable, id: string): Promise<CommentResponse | undefined> {
  const [comment] = await sql.query<CommentResponse>(
    `SELECT ${commentColumns} FROM comments c WHERE c.id = $1`,
    [id],
  );
  return comment;
}

/** The entries that comments are about, each once. */
export async function selectCommentedEntries(
  sql: Queryable,
  ids: readonly string[],
): Promise<CommentTarget[]> {
  return sql.query<CommentTarget>(
    'SELECT DISTINCT collection, content_id AS "contentId" FROM comments WHERE id = ANY($1)',
    [ids],
  );
}

/** Gives comments a status. @returns those of the ids that exist; `updatedAt` moves where the status does. */
export async function updateStatuses(
  sql: Queryable,
  ids: readonly string[],
  status: CommentStatus,
): Promise<CommentResponse[]> {
  // Locked in the order of ids, so that moderators with overlapping selections do not block each other.
  return sql.query<CommentResponse>(
    `WITH locked AS (SELECT id FROM comments WHERE id = ANY($1) ORDER BY id FOR UPDATE)
     UPDATE comments c
     SET status = $2, updated_at = CASE WHEN c.status = $2 THEN c.updated_at ELSE now() END
     FROM locked WHERE c.id = locked.id RETURNING ${commentColumns}`,
    [ids, status],
  );
}

/** Removes comments with their replies. @returns how many of the ids existed. */
export async function deleteCommentRows(sql: Queryable, ids: readonly string[]): Promise<string[]> {
  // The replies are locked as well: they go by the foreign key, in no order of their own.
  const removed = await sql.query<{ id: string }>(
    `WITH locked AS (
       SELECT id FROM comments WHERE id = ANY($1) OR parent_id = ANY($1) ORDER BY id FOR UPDATE
     ) DELETE FROM comments c USING locked WHERE c.id = locked.id AND c.id = ANY($1) RETURNING c.id`,
    [ids],
  );
  return removed.map(({ id }) => id);
}

/** The root that a reply to this comment hangs on; undefined when the entry has no such comment. */
export async function selectRootCommentId(
  sql: Queryable,
  contentId: string,
  commentId: string,
): Promise<string | undefined> {
  const [parent] = await sql.query<{ rootId: string }>(
    'SELECT coalesce(parent_id, id) AS "rootId" FROM comments WHERE id = $1 AND content_id = $2',
    [commentId, contentId],
  );
  return parent?.rootId;
}

/** The status of a guest's comment; undefined where there is none of this id and address. */
export async function selectGuestCommentStatus(
  sql: Queryable,
  { commentId, email }: { commentId: string; email: string },
): Promise<CommentStatus | undefined> {
  const [comment] = await sql.query<{ status: CommentStatus }>(
    'SELECT status FROM comments WHERE id = $1 AND author_email = $2 AND author_user_id IS NULL',
    [commentId, email],
  );
  return comment?.status;
}
