import {
  columnsOf,
  identifier,
  likeContaining,
  literal,
  Parameters,
  type KeysetPage,
  type Queryable,
  type Row,
} from '@quire/database';
import { isNotOfDeletedEntry } from '../deletions/index.js';
import { Collection, contentTableName } from '../schema/index.js';
import { Comment, commentStatuses, type CommentStatus } from './comment.entity.js';
import type { AdminListQuery, PublicComment } from './comments.schemas.js';

/** The entry of comments. */
export interface CommentTarget {
  /** Slug of the collection. */
  collection: string;
  /** Id of the entry. */
  contentId: string;
}

/** The comment settings of a collection. */
export type CommentSettings = Pick<
  Collection,
  'commentsModeration' | 'commentsClosedAfterDays' | 'commentsAutoApproveUsers'
>;

/** A comment as moderators see it. */
export type StoredComment = Omit<Row<Comment>, 'announcedAt'>;

/** Of `comments c`. */
const columns = columnsOf(Comment, { of: 'c', except: ['announcedAt'] });
const publicColumns = `${columnsOf(Comment, { of: 'c', only: ['id', 'authorName', 'body', 'parentId', 'createdAt'] })},
  c.author_user_id IS NOT NULL AS "isRegisteredUser"`;

/** Moderators see no comment `c` of a deleted collection, whose comments are deleted in steps. */
const isListed = isNotOfDeletedEntry('c.content_id');

/** SQL condition on comments `c`: an approved one of collection $1 and entry $2. */
const isApproved = `c.content_id = $2 AND c.collection = $1 AND c.status = 'approved'`;

/** Visitors read the oldest comment first. */
export const publicCommentOrder = {
  column: 'c.created_at',
  idColumn: 'c.id',
  direction: 'asc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** Moderators read the newest comment first. */
export const adminCommentOrder = { ...publicCommentOrder, direction: 'desc' } as const;

/** @returns the rows of one page of the visible comments of an entry: approved ones whose root, if any, is approved. */
export function selectVisibleComments(
  sql: Queryable,
  { collection, contentId }: CommentTarget,
  page: KeysetPage,
): Promise<PublicComment[]> {
  const params = new Parameters();
  params.values.push(collection, contentId);
  return sql.query<PublicComment>(
    `SELECT ${publicColumns}
     FROM comments c LEFT JOIN comments r ON r.id = c.parent_id AND r.content_id = c.content_id
     WHERE ${isApproved} AND (c.parent_id IS NULL OR r.status = 'approved') AND ${page.condition(params)}
     ${page.order(params)}`,
    params.values,
  );
}

/** @returns the first visible comments of an entry, each root before its replies. */
export function selectVisibleThreads(
  sql: Queryable,
  { collection, contentId }: CommentTarget,
  limit: number,
): Promise<PublicComment[]> {
  return sql.query<PublicComment>(
    `SELECT ${publicColumns}
     FROM (
       SELECT c.id, c.created_at FROM comments c WHERE ${isApproved} AND c.parent_id IS NULL
       ORDER BY c.created_at, c.id LIMIT ${limit}
     ) r CROSS JOIN LATERAL (
       SELECT * FROM comments WHERE id = r.id
       UNION ALL (
         SELECT * FROM comments WHERE parent_id = r.id AND content_id = $2 AND status = 'approved'
         ORDER BY created_at, id LIMIT ${limit}
       )
     ) c
     ORDER BY r.created_at, r.id, c.parent_id NULLS FIRST, c.created_at, c.id LIMIT ${limit}`,
    [collection, contentId],
  );
}

/** @returns the number of the visible comments of an entry. */
export async function selectVisibleCount(sql: Queryable, contentId: string): Promise<number> {
  const [row] = await sql.query<{ visible: number }>(
    'SELECT visible FROM comment_counts WHERE content_id = $1',
    [contentId],
  );
  return row?.visible ?? 0;
}

/** @returns the rows of one page of the comments that match the filters. */
export function selectComments(
  sql: Queryable,
  { status, collection, search }: Pick<AdminListQuery, 'status' | 'collection' | 'search'>,
  page: KeysetPage,
): Promise<StoredComment[]> {
  const params = new Parameters();
  const conditions = [`c.status = ${params.add(status)}`, isListed];
  if (collection !== undefined) conditions.push(`c.collection = ${params.add(collection)}`);
  if (search !== undefined) {
    const pattern = params.add(likeContaining(search), 'text');
    conditions.push(
      `(c.author_name ILIKE ${pattern} OR c.author_email ILIKE ${pattern} OR c.body ILIKE ${pattern})`,
    );
  }
  conditions.push(page.condition(params));
  return sql.query<StoredComment>(
    `SELECT ${columns} FROM comments c WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

export async function selectCountsByStatus(sql: Queryable): Promise<Record<CommentStatus, number>> {
  const sums = commentStatuses.map(
    (status) => `(coalesce(sum(${status}), 0)
      - coalesce((SELECT count FROM unlisted WHERE status = ${literal(status)}), 0))::bigint AS ${status}`,
  );
  const [counts] = await sql.query<Record<CommentStatus, number>>(
    `WITH unlisted AS MATERIALIZED (
       SELECT c.status, count(*) FROM deleted_entries gone JOIN comments c ON c.content_id = gone.id GROUP BY c.status
     ) SELECT ${sums.join(', ')} FROM comment_status_counts`,
  );
  if (!counts) throw new Error('SELECT of sums returned no row');
  return counts;
}

export async function selectComment(sql: Queryable, id: string): Promise<StoredComment | undefined> {
  const [comment] = await sql.query<StoredComment>(
    `SELECT ${columns} FROM comments c WHERE c.id = $1 AND ${isListed}`,
    [id],
  );
  return comment;
}

/** @returns the entries of the comments, each once. */
export function selectCommentedEntries(sql: Queryable, ids: readonly string[]): Promise<CommentTarget[]> {
  const target = columnsOf(Comment, { only: ['collection', 'contentId'] });
  return sql.query<CommentTarget>(`SELECT DISTINCT ${target} FROM comments WHERE id = ANY($1)`, [ids]);
}

/** Sets the status of comments; `updatedAt` changes with it. @returns the rows of the ids that exist. */
export function updateCommentStatuses(
  sql: Queryable,
  ids: readonly string[],
  status: CommentStatus,
): Promise<StoredComment[]> {
  // Locked in the order of ids, so that moderators with overlapping selections do not deadlock.
  return sql.query<StoredComment>(
    `WITH locked AS (SELECT c.id FROM comments c WHERE c.id = ANY($1) AND ${isListed} ORDER BY c.id FOR UPDATE)
     UPDATE comments c
     SET status = $2, updated_at = CASE WHEN c.status = $2 THEN c.updated_at ELSE now() END
     FROM locked WHERE c.id = locked.id RETURNING ${columns}`,
    [ids, status],
  );
}

/** Marks the approved comments of the ids as announced. @returns those that were not announced before. */
export function updateAnnouncedComments(
  sql: Queryable,
  ids: readonly string[],
): Promise<Pick<StoredComment, 'id' | 'contentId' | 'authorUserId'>[]> {
  return sql.query(
    `UPDATE comments SET announced_at = now() WHERE id = ANY($1) AND status = 'approved' AND announced_at IS NULL
     RETURNING ${columnsOf(Comment, { only: ['id', 'contentId', 'authorUserId'] })}`,
    [ids],
  );
}

/** Deletes comments with their replies. @returns the ids that existed. */
export async function deleteCommentRows(sql: Queryable, ids: readonly string[]): Promise<string[]> {
  // The foreign key deletes the replies in no particular order, so they are locked in the order of ids too.
  const rows = await sql.query<{ id: string }>(
    `WITH locked AS (
       SELECT c.id FROM comments c WHERE (c.id = ANY($1) OR c.parent_id = ANY($1)) AND ${isListed}
       ORDER BY c.id FOR UPDATE
     ) DELETE FROM comments c USING locked WHERE c.id = locked.id AND c.id = ANY($1) RETURNING c.id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** @returns the id of the root of a comment's thread, or undefined when the entry has no such comment. */
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

/** @returns the status of a guest's comment, or undefined when none has this id and e-mail address. */
export async function selectGuestCommentStatus(
  sql: Queryable,
  { commentId, email }: { commentId: string; email: string },
): Promise<CommentStatus | undefined> {
  const [comment] = await sql.query<{ status: CommentStatus }>(
    `SELECT c.status FROM comments c
     WHERE c.id = $1 AND c.author_email = $2 AND c.author_user_id IS NULL AND ${isListed}`,
    [commentId, email],
  );
  return comment?.status;
}

/** @returns the site's salt for hashes of client addresses. */
export async function selectCommentSalt(sql: Queryable): Promise<string> {
  const [row] = await sql.query<{ salt: string }>('SELECT salt FROM comment_salt');
  return row?.salt ?? '';
}

const settingsColumns = columnsOf(Collection, {
  only: ['commentsEnabled', 'commentsModeration', 'commentsClosedAfterDays', 'commentsAutoApproveUsers'],
});

/** @returns the comment settings of a collection. */
export async function selectCommentedCollection(
  sql: Queryable,
  slug: string,
): Promise<(CommentSettings & Pick<Collection, 'commentsEnabled'>) | undefined> {
  const [collection] = await sql.query<CommentSettings & Pick<Collection, 'commentsEnabled'>>(
    `SELECT ${settingsColumns} FROM collections WHERE slug = $1`,
    [slug],
  );
  return collection;
}

/**
 * @param options.withRowLock keeps the entry published until the transaction ends
 * @returns whether more than `closedAfterDays` (0 for never) have passed since the publication of an entry; undefined
 *   for one that is not published.
 * @throws the database's error `undefinedTable` for a deleted collection.
 */
export async function selectPublishedEntry(
  sql: Queryable,
  { collection, contentId }: CommentTarget,
  { closedAfterDays, withRowLock }: { closedAfterDays: number; withRowLock: boolean },
): Promise<{ isClosed: boolean } | undefined> {
  const [entry] = await sql.query<{ isClosed: boolean }>(
    `SELECT $2::integer > 0 AND coalesce(published_at + make_interval(days => $2) <= now(), false) AS "isClosed"
     FROM ${identifier(contentTableName(collection))}
     WHERE id = $1 AND status = 'published' AND deleted_at IS NULL${withRowLock ? ' FOR SHARE' : ''}`,
    [contentId, closedAfterDays],
  );
  return entry;
}

export type CollectionRouting = Pick<Collection, 'slug' | 'routable' | 'urlPattern'>;

const routingColumns = columnsOf(Collection, { only: ['slug', 'routable', 'urlPattern'] });

/** @returns the collections of these slugs, as far as addresses of their entries depend on them. */
export function selectCollectionRouting(
  sql: Queryable,
  slugs: readonly string[],
): Promise<CollectionRouting[]> {
  return sql.query<CollectionRouting>(`SELECT ${routingColumns} FROM collections WHERE slug = ANY($1)`, [
    slugs,
  ]);
}

/** An entry in the notification of its author. */
export interface AuthoredEntry {
  id: string;
  slug: string | null;
  locale: string;
  authorId: string;
  title: string | null;
}

/**
 * @returns the entries of these ids that have an author and are not in the trash.
 * @throws the database's error `undefinedTable` for a deleted collection.
 */
export function selectAuthoredEntries(
  sql: Queryable,
  { collection, ids, titleColumn }: { collection: string; ids: readonly string[]; titleColumn: string },
): Promise<AuthoredEntry[]> {
  // The title is read from JSON by its name: its column may have been dropped since it was looked up.
  return sql.query<AuthoredEntry>(
    `SELECT e.id, e.slug, e._locale AS locale, e.author_id AS "authorId", to_jsonb(e) ->> $2 AS title
     FROM ${identifier(contentTableName(collection))} e
     WHERE e.id = ANY($1) AND e.author_id IS NOT NULL AND e.deleted_at IS NULL`,
    [ids, titleColumn],
  );
}
