import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { usageSummaries, type UsageDeps } from '../../usage/index.js';
import { toMediaItemResponse, type ItemWithUsage } from '../item.mapper.js';
import { countItems, itemOrder, selectItems, selectNumberedPage, type ItemRow } from '../items.repository.js';
import type { MediaQuery } from '../items.schemas.js';

/** A page of media: with a cursor, or with the number of all when pages are numbered. */
export interface MediaPage {
  items: ItemWithUsage[];
  nextCursor?: string;
  totalCount?: number;
}

/**
 * One page of the ready items, newest first, by cursor or by number, with their usage where that is asked for (document
 * 1, Media 1 and 2; contract 11).
 * @throws QuireError INVALID_CURSOR, SERVICE_UNAVAILABLE when usage cannot be told now.
 */
export async function listMedia(
  ctx: Context,
  usage: UsageDeps,
  { cursor, limit, page: number, includeUsage, ...filter }: MediaQuery,
): Promise<MediaPage> {
  const answer = includeUsage === undefined ? withoutUsage : withUsage(ctx, usage);
  if (number !== undefined) {
    const rows = await selectNumberedPage(ctx.db, filter, { number, size: limit });
    return { items: await answer(rows), totalCount: await countItems(ctx.db, filter) };
  }
  const scope = cursorScope({ operation: 'listMedia', tenant: ctx.principal.tenant.id, ...filter });
  const page = new KeysetPage(itemOrder, scope, { cursor, limit });
  const rows = await selectItems(ctx.db, filter, page);
  const { items, ...rest } = page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  return { items: await answer(items), ...rest };
}

type RowsMapper = (rows: readonly ItemRow[]) => Promise<ItemWithUsage[]>;

const withoutUsage: RowsMapper = (rows) => Promise.resolve(rows.map(toMediaItemResponse));

function withUsage(ctx: Context, usage: UsageDeps): RowsMapper {
  return async (rows) => {
    const summaryOf = await usageSummaries(
      ctx,
      usage,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ ...toMediaItemResponse(row), usage: summaryOf(row.id) }));
  };
}
