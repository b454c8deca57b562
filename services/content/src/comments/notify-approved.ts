import type { Context } from '@quire/context';
import { hasSqlState, identifier, sqlState, type Queryable, type Transaction } from '@quire/database';
import { notifyCommentApproved, outboxRow, sendMessage } from '@quire/messages';
import { entryPath } from '../site/redirects/index.js';
import { contentTableName, titleColumns, type Collection } from '../schema/index.js';
import type { CommentDeps } from './comment-deps.js';
import type { CommentTarget } from './comment-settings.js';

/** What the author of an entry is told of it when a comment is approved. */
export interface ApprovalNotice {
  entryId: string;
  authorId: string;
  title: string;
  path: string;
}

/** A title may be a whole text; a mail needs its beginning. */
const maxTitleLength = 200;

type Routing = Pick<Collection, 'slug' | 'routable' | 'urlPattern'>;

interface EntryRow {
  id: string;
  slug: string | null;
  locale: string;
  authorId: string;
  title: string | null;
}

/**
 * What there is to tell of entries. Without those that have no author, lie in the trash or are gone, as all of a
 * collection that is being deleted are.
 */
export async function selectApprovalNotices(
  sql: Queryable,
  entries: readonly CommentTarget[],
): Promise<ApprovalNotice[]> {
  const slugs = [...new Set(entries.map(({ collection }) => collection))];
  const titles = await titleColumns(sql, slugs);
  const collections = await sql.query<Routing>(
    'SELECT slug, routable, url_pattern AS "urlPattern" FROM collections WHERE slug = ANY($1)',
    [slugs],
  );
  const notices: ApprovalNotice[] = [];
  for (const definition of collections) {
    const ids = entries
      .filter(({ collection }) => collection === definition.slug)
      .map(({ contentId }) => contentId);
    for (const { id, slug, locale, authorId, title } of await entriesOf(sql, definition, ids, titles)) {
      const path = slug === null ? null : entryPath({ definition, entry: { id, locale } }, slug);
      notices.push({ entryId: id, authorId, title: title ?? '', path: path ?? '' });
    }
  }
  return notices;
}

async function entriesOf(
  sql: Queryable,
  { slug }: Routing,
  ids: readonly string[],
  titles: ReadonlyMap<string, string>,
): Promise<EntryRow[]> {
  try {
    // By its name in JSON: the title's column may have been removed since it was looked up.
    return await sql.query<EntryRow>(
      `SELECT e.id, e.slug, e._locale AS locale, e.author_id AS "authorId", to_jsonb(e) ->> $2 AS title
       FROM ${identifier(contentTableName(slug))} e
       WHERE e.id = ANY($1) AND e.author_id IS NOT NULL AND e.deleted_at IS NULL`,
      [ids, titles.get(slug) ?? ''],
    );
  } catch (error) {
    if (hasSqlState(error, sqlState.undefinedTable)) return [];
    throw error;
  }
}

/**
 * Has the authors of entries told of the comments that the transaction has approved for the first time, unless they
 * wrote them themselves (contract 16). A comment that is approved again is not told of again.
 */
export async function notifyApproved(
  ctx: Context,
  tx: Transaction,
  { dispatcher }: Pick<CommentDeps, 'dispatcher'>,
  { ids, notices }: { ids: readonly string[]; notices: readonly ApprovalNotice[] },
): Promise<void> {
  const approved = await tx.query<{ id: string; contentId: string; authorUserId: string | null }>(
    `UPDATE comments SET announced_at = now() WHERE id = ANY($1) AND status = 'approved' AND announced_at IS NULL
     RETURNING id, content_id AS "contentId", author_user_id AS "authorUserId"`,
    [ids],
  );
  for (const { id, contentId, authorUserId } of approved) {
    const notice = notices.find(({ entryId }) => entryId === contentId);
    if (!notice || notice.authorId === authorUserId) continue;
    const { authorId, title, path } = notice;
    const message = {
      tenantId: ctx.principal.tenant.id,
      commentId: id,
      authorId,
      // By characters: half of one cannot be stored.
      title: [...title].slice(0, maxTitleLength).join(''),
      path,
      origin: ctx.origin ?? '',
    };
    await sendMessage(tx, 'content', outboxRow(notifyCommentApproved, message));
  }
  tx.afterCommit(() => dispatcher.wake());
}
