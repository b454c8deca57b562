import type { Context } from '@quire/context';
import { cursorScope, KeysetPage, likeContaining, Parameters } from '@quire/database';
import { commentColumns } from '../comments.repository.js';
import type { AdminListQuery, CommentResponse } from '../comments.schemas.js';

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
export async function listAdminComments(
  ctx: Context,
  { limit, cursor, ...filters }: AdminListQuery,
): Promise<{ items: CommentResponse[]; nextCursor?: string }> {
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'listAdminComments', tenant: tenant.id, filters });
  const page = new KeysetPage(order, scope, { cursor, limit });
  const params = new Parameters();
  const conditions = [...filterConditions(filters, params), page.condition(params)];
  const rows = await ctx.db.query<CommentResponse>(
    `SELECT ${commentColumns} FROM comments c WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

function filterConditions(
  { status, collection, search }: Pick<AdminListQuery, 'status' | 'collection' | 'search'>,
  params: Parameters,
): string[] {
  const conditions = [`c.status = ${params.add(status)}`];
  if (collection !== undefined) conditions.push(`c.collection = ${params.add(collection)}`);
  if (search !== undefined) {
    const pattern = params.add(likeContaining(search), 'text');
    const columns = ['c.author_name', 'c.author_email', 'c.body'];
    conditions.push(`(${columns.map((column) => `${column} ILIKE ${pattern}`).join(' OR ')})`);
  }
  return conditions;
}
