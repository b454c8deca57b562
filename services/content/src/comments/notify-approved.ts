import type { Context } from '@quire/context';
import {
  columnsOf,
  hasSqlState,
  identifier,
  sqlState,
  type Queryable,
  type Transaction,
} from '@quire/database';
import { notifyCommentApproved, outboxRow, sendMessage } from '@quire/jobs';
import { entryPath } from '../site/redirects/index.js';
import { Collection, contentTableName, titleColumns } from '../schema/index.js';
import type { CommentDeps } from './comment-deps.js';
import type { CommentTarget } from './comment-settings.js';
import { updateAnnouncedComments } from './comments.repository.js';

/** An entry in the notification of an approved comment. */
export interface ApprovalNotice {
  entryId: string;
  authorId: string;
  title: string;
  path: string;
}

/** Characters of the title in a mail. */
const maxTitleLength = 200;

type Routing = Pick<Collection, 'slug' | 'routable' | 'urlPattern'>;

const routingColumns = columnsOf(Collection, { only: ['slug', 'routable', 'urlPattern'] });

interface EntryRow {
  id: string;
  slug: string | null;
  locale: string;
  authorId: string;
  title: string | null;
}

/**
 * @returns the notices of entries. Entries without an author, trashed and deleted ones, and those of a deleted
 *   collection are left out.
 */
export async function selectApprovalNotices(
  sql: Queryable,
  entries: readonly CommentTarget[],
): Promise<ApprovalNotice[]> {
  const slugs = [...new Set(entries.map(({ collection }) => collection))];
  const titles = await titleColumns(sql, slugs);
  const collections = await sql.query<Routing>(
    `SELECT ${routingColumns} FROM collections WHERE slug = ANY($1)`,
    [slugs],
  );
  const notices: ApprovalNotice[] = [];
  for (const definition of collections) {
    const ids = entries
      .filter(({ collection }) => collection === definition.slug)
      .map(({ contentId }) => contentId);
    for (const { id, slug, locale, authorId, title } of await selectAuthoredEntries(
      sql,
      definition,
      ids,
      titles,
    )) {
      const path = slug === null ? null : entryPath({ definition, entry: { id, locale } }, slug);
      notices.push({ entryId: id, authorId, title: title ?? '', path: path ?? '' });
    }
  }
  return notices;
}

async function selectAuthoredEntries(
  sql: Queryable,
  { slug }: Routing,
  ids: readonly string[],
  titles: ReadonlyMap<string, string>,
): Promise<EntryRow[]> {
  try {
    // The title is read from JSON by its name: its column may have been dropped since it was looked up.
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
 * Sends a mail to the author of each entry whose comments the transaction has approved for the first time, except for
 * the author's own comments (contract 16).
 */
export async function notifyApproved(
  ctx: Context,
  tx: Transaction,
  { dispatcher }: Pick<CommentDeps, 'dispatcher'>,
  { ids, notices }: { ids: readonly string[]; notices: readonly ApprovalNotice[] },
): Promise<void> {
  for (const { id, contentId, authorUserId } of await updateAnnouncedComments(tx, ids)) {
    const notice = notices.find(({ entryId }) => entryId === contentId);
    if (!notice || notice.authorId === authorUserId) continue;
    const { authorId, title, path } = notice;
    const message = {
      tenantId: ctx.principal.tenant.id,
      commentId: id,
      authorId,
      // Cut by code points: half of a surrogate pair cannot be stored.
      title: [...title].slice(0, maxTitleLength).join(''),
      path,
      origin: ctx.origin ?? '',
    };
    await sendMessage(tx, 'content', outboxRow(notifyCommentApproved, message));
  }
  tx.afterCommit(() => dispatcher.wake());
}
