import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Queryable, type Transaction } from '@quire/database';
import { notifyCommentApproved, outboxRow, sendMessage } from '@quire/jobs';
import { entryPath } from '../site/redirects/index.js';
import { selectTitleColumns } from '../schema/index.js';
import type { CommentDeps } from './comment-deps.js';
import {
  selectAuthoredEntries,
  selectCollectionRouting,
  updateAnnouncedComments,
  type AuthoredEntry,
  type CommentTarget,
} from './comments.repository.js';

/** An entry in the notification of an approved comment. */
export interface ApprovalNotice {
  entryId: string;
  authorId: string;
  title: string;
  path: string;
}

/** Characters of the title in a mail. */
const maxTitleLength = 200;

/**
 * @returns the notices of entries. Entries without an author, trashed and deleted ones, and those of a deleted
 *   collection are left out.
 */
export async function selectApprovalNotices(
  sql: Queryable,
  entries: readonly CommentTarget[],
): Promise<ApprovalNotice[]> {
  const slugs = [...new Set(entries.map(({ collection }) => collection))];
  const titles = await selectTitleColumns(sql, slugs);
  const notices: ApprovalNotice[] = [];
  for (const definition of await selectCollectionRouting(sql, slugs)) {
    const ids = entries
      .filter(({ collection }) => collection === definition.slug)
      .map(({ contentId }) => contentId);
    const titleColumn = titles.get(definition.slug) ?? '';
    const authored = await authoredEntries(sql, { collection: definition.slug, ids, titleColumn });
    for (const { id, slug, locale, authorId, title } of authored) {
      const path = slug === null ? null : entryPath({ definition, entry: { id, locale } }, slug);
      notices.push({ entryId: id, authorId, title: title ?? '', path: path ?? '' });
    }
  }
  return notices;
}

/** Empty for a deleted collection. */
async function authoredEntries(
  ...[sql, query]: Parameters<typeof selectAuthoredEntries>
): Promise<AuthoredEntry[]> {
  try {
    return await selectAuthoredEntries(sql, query);
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
