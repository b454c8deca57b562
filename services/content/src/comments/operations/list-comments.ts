import type { Context } from '@quire/context';
import { afterPosition, cursorScope, encodeCursor, keysetOrder, Parameters } from '@quire/database';
import { pagePosition } from '../../entries/index.js';
import { commentColumns } from '../comments.repository.js';
import type { AdminListQuery, CommentAnswer } from '../comments.schemas.js';

const order = { column: 'c.created_at', idColumn: 'c.id', direction: 'desc', cast: 'timestamptz' } as const;

/**
 * One page of the comments in a status, newest first; `search` looks into name, e-mail and text.
 * @throws QuireError INVALID_CURSOR
 */
export async function listComments(
  ctx: Context,
  { limit, cursor, ...filters }: AdminListQuery,
): Promise<{ items: CommentAnswer[]; nextCursor?: string }> {
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'listAdminComments', tenant: tenant.id, filters });
  const place = new Parameters();
  const conditions = filterConditions(filters, place);
  if (cursor !== undefined)
    conditions.push(
      afterPosition(order, pagePosition(scope, cursor, order.cast), (value, cast) => place.add(value, cast)),
    );
  const rows = await ctx.db.query<CommentAnswer>(
    `SELECT ${commentColumns} FROM comments c WHERE ${conditions.join(' AND ')}
     ORDER BY ${keysetOrder(order.column, order.idColumn, order.direction)} LIMIT ${place.add(limit + 1)}`,
    place.values,
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || !last) return { items };
  return { items, nextCursor: encodeCursor(scope, { value: last.createdAt, id: last.id }) };
}

function filterConditions(
  { status, collection, search }: Pick<AdminListQuery, 'status' | 'collection' | 'search'>,
  place: Parameters,
): string[] {
  const conditions = [`c.status = ${place.add(status)}`];
  if (collection !== undefined) conditions.push(`c.collection = ${place.add(collection)}`);
  if (search !== undefined) {
    const pattern = place.add(`%${search.replace(/[\\%_]/g, '\\$&')}%`, 'text');
    const columns = ['c.author_name', 'c.author_email', 'c.body'];
    conditions.push(`(${columns.map((column) => `${column} ILIKE ${pattern}`).join(' OR ')})`);
  }
  return conditions;
}
