import {
  cursorScope,
  decodeCursor,
  encodeCursor,
  type KeysetPosition,
  type Parameters,
} from '@quire/database';
import type { PageQuery } from './page-query.js';

/** What every row of a list that is ordered by its making has. */
interface Made {
  id: string;
  /** ISO time. */
  createdAt: string;
}

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
}

/** The part of a list's statement that pages it. */
export interface PageClause {
  /** Condition on where the page starts; absent on the first page. */
  after?: string | undefined;
  /** ORDER BY and LIMIT. */
  tail: string;
}

/**
 * Reads one page of rows by `created_at`, newest first, rows of the same moment by id.
 * @param list.boundTo what a cursor of this list holds for: operation, tenant, filters (decision 17)
 * @param list.table name of the table in the statement
 * @param read runs the statement with the page's clause
 * @throws QuireError INVALID_CURSOR
 */
export async function newestFirst<Row extends Made>(
  list: { boundTo: Record<string, unknown>; table: string; place: Parameters },
  { cursor, limit }: PageQuery,
  read: (clause: PageClause) => Promise<Row[]>,
): Promise<Page<Row>> {
  const scope = cursorScope(list.boundTo);
  const order = (direction = '') => `${list.table}.created_at${direction}, ${list.table}.id${direction}`;
  // Neither is ever null: said without NULLS LAST, an index on both answers it.
  const after =
    cursor === undefined
      ? undefined
      : `(${order()}) < (${placeOf(decodeCursor(scope, cursor, 'timestamptz'), list.place)})`;
  const tail = `ORDER BY ${order(' DESC')} LIMIT ${list.place.add(limit + 1)}`;
  const rows = await read({ after, tail });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || !last) return { items };
  return { items, nextCursor: encodeCursor(scope, { value: last.createdAt, id: last.id }) };
}

function placeOf({ value, id }: KeysetPosition, place: Parameters): string {
  return `${place.add(value, 'timestamptz')}, ${place.add(id)}`;
}
