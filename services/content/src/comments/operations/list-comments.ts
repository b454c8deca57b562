import type { Context } from '@quire/context';
import { cursorScope, KeysetPage, likeContaining, Parameters } from '@quire/database';
import { commentColumns } from '../comments.repository.js';
import type { AdminListQuery, CommentAnswer } from '../comments.schemas.js';

const order = {
  column: 'c.created_at',
  idColumn: 'c.id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

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
  const page = new KeysetPage(order, scope, { cursor, limit });
  const place = new Parameters();
  const conditions = [...filterConditions(filters, place), page.condition(place)];
  const rows = await ctx.db.query<CommentAnswer>(
    `SELECT ${commentColumns} FROM comments c WHERE ${conditions.join(' AND ')} ${page.order(place)}`,
    place.values,
  );
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

function filterConditions(
  { status, collection, search }: Pick<AdminListQuery, 'status' | 'collection' | 'search'>,
  place: Parameters,
): string[] {
  const conditions = [`c.status = ${place.add(status)}`];
  if (collection !== undefined) conditions.push(`c.collection = ${place.add(collection)}`);
  if (search !== undefined) {
    const pattern = place.add(likeContaining(search), 'text');
    const columns = ['c.author_name', 'c.author_email', 'c.body'];
    conditions.push(`(${columns.map((column) => `${column} ILIKE ${pattern}`).join(' OR ')})`);
  }
  return conditions;
}
