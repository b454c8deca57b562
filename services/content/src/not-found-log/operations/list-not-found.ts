import type { Context } from '@quire/context';
import { cursorScope, encodeCursor } from '@quire/database';
import { pagePosition } from '../../entries/index.js';
import type { NotFoundAnswer, NotFoundQuery } from '../not-found-log.schemas.js';
import { findEntries } from '../not-found.repository.js';

export interface NotFoundPage {
  items: NotFoundAnswer[];
  nextCursor?: string;
}

/** One page of the log: each path once, with its last visitor; what was missed first of late comes first (contract 23). */
export async function listNotFound(
  ctx: Context,
  { cursor, limit, search }: NotFoundQuery,
): Promise<NotFoundPage> {
  const scope = cursorScope({ operation: 'listNotFoundEntries', tenant: ctx.principal.tenant.id, search });
  const after = cursor === undefined ? undefined : pagePosition(scope, cursor, 'timestamptz');
  const rows = await findEntries(ctx.db, search, { after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last;
  return {
    items,
    ...(hasMore ? { nextCursor: encodeCursor(scope, { value: last.createdAt, id: last.id }) } : {}),
  };
}
