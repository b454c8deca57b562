import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { itemAnswer, type ItemAnswer } from '../item-answer.js';
import { countItems, itemOrder, selectItems, selectNumberedPage } from '../items.repository.js';
import type { MediaQuery } from '../items.schemas.js';

/** A page of media: with a cursor, or with the number of all when pages are numbered. */
export interface MediaPage {
  items: ItemAnswer[];
  nextCursor?: string;
  totalCount?: number;
}

/**
 * One page of the ready items, newest first, by cursor or by number (document 1, Media 1; contract 11).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listMedia(
  ctx: Context,
  { cursor, limit, page: number, ...filter }: MediaQuery,
): Promise<MediaPage> {
  if (number !== undefined) {
    const rows = await selectNumberedPage(ctx.db, filter, { number, size: limit });
    return { items: rows.map(itemAnswer), totalCount: await countItems(ctx.db, filter) };
  }
  const scope = cursorScope({ operation: 'listMedia', tenant: ctx.principal.tenant.id, ...filter });
  const page = new KeysetPage(itemOrder, scope, { cursor, limit });
  const rows = await selectItems(ctx.db, filter, page);
  const { items, ...rest } = page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  return { items: items.map(itemAnswer), ...rest };
}
