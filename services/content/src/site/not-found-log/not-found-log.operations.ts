import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { topReferrer } from './not-found-hits.js';
import { deleteLogEntries, logOrder, selectEntries, selectMostFrequent } from './not-found-log.repository.js';
import type { NotFoundPage, NotFoundQuery, NotFoundSummary } from './not-found-log.schemas.js';
import type { NotFoundRecorder } from './not-found-recorder.js';

/**
 * @returns one page of the log: each path once, with its last visitor; the path first missed most recently comes first
 *   (contract 23).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listNotFoundEntries(
  ctx: Context,
  { cursor, limit, search }: NotFoundQuery,
): Promise<NotFoundPage> {
  const scope = cursorScope({ operation: 'listNotFoundEntries', tenant: ctx.principal.tenant.id, search });
  const page = new KeysetPage(logOrder, scope, { cursor, limit });
  const rows = await selectEntries(ctx.db, search, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

/** Deletes the paths last requested before an instant; redirects stay (spec document 1, Redirects). */
export async function pruneNotFoundLog(ctx: Context, olderThan: string): Promise<{ deleted: number }> {
  return { deleted: await deleteLogEntries({ db: ctx.db, tenantId: ctx.principal.tenant.id }, olderThan) };
}

/** Empties the log and the pending hits of this process; redirects stay (spec document 1, Redirects). */
export async function clearNotFoundLog(
  ctx: Context,
  recorder: NotFoundRecorder,
): Promise<{ deleted: number }> {
  recorder.discard(ctx);
  return { deleted: await deleteLogEntries({ db: ctx.db, tenantId: ctx.principal.tenant.id }) };
}

/** @returns the paths missed most often, then most recently (contract 23). */
export async function getNotFoundSummary(ctx: Context, limit: number): Promise<NotFoundSummary[]> {
  const rows = await selectMostFrequent(ctx.db, limit);
  return rows.map(({ referrers, lastSeenAt: lastSeen, ...row }) => ({
    ...row,
    lastSeen,
    topReferrer: topReferrer(referrers),
  }));
}
