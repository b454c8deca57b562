import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import type { NotFoundEntryResponse, NotFoundQuery } from '../not-found-log.schemas.js';
import { selectEntries, logOrder } from '../not-found.repository.js';

export interface NotFoundPage {
  items: NotFoundEntryResponse[];
  nextCursor?: string;
}

/**
 * One page of the log: each path once, with its last visitor; what was missed first of late comes first (contract 23).
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
