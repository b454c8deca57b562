import type { Context } from '@quire/context';
import { KeysetPage } from '@quire/database';
import { selectCreditedBylines } from '../../bylines/credits/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { selectTermGroups } from '../../taxonomies/assignments/index.js';
import type { ListQuery } from '../entries.schemas.js';
import { fromEntries, type ListFilters } from '../repository/list-conditions.js';
import { selectEntryPage, type PageRow } from '../repository/list-entries.js';
import type { OrderColumn } from '../repository/list-order.js';

/** The query of a list, and the states that only the admin panel filters by. */
type EntryListQuery = Omit<ListQuery, 'dateField'> &
  Pick<ListFilters, 'dateField' | 'state' | 'searchesDrafts'>;

export interface EntryListOptions {
  /** Binds cursors, see `cursorScope`. */
  scope: string;
  /** Its locale is that of stored entries. */
  query: EntryListQuery;
  order: OrderColumn;
  defaultLocale: string;
  /** Up to so many matching entries are counted. */
  countedTo?: number;
}

/** A page of a list whose filters are resolved. */
export interface EntryList {
  isFirst: boolean;
  select(columns: string): Promise<PageRow[]>;
  cut(rows: readonly PageRow[]): { items: PageRow[]; nextCursor?: string };
}

/** @throws QuireError INVALID_CURSOR */
export async function openEntryList(
  ctx: Context,
  definition: CollectionDefinition,
  { scope, query, order, ...options }: EntryListOptions,
): Promise<EntryList> {
  const { sql: column, key, ...ordered } = order;
  const from = fromEntries(definition);
  const keyset = { ...ordered, column, idColumn: 'e.id', direction: query.order, from };
  const page = new KeysetPage(keyset, scope, query);
  const filters = await resolveFilters(ctx, query);
  const valueOf = (row: PageRow) => (row[key] ?? null) as string | number | null;
  return {
    isFirst: page.isFirst,
    select: (columns) => selectEntryPage(ctx.db, definition, filters, { page, order, columns, ...options }),
    cut: (rows) => page.cut(rows, (row) => ({ value: valueOf(row), id: row.id })),
  };
}

async function resolveFilters(ctx: Context, query: EntryListQuery): Promise<ListFilters> {
  const { bylines, termFilters = {}, ...filters } = query;
  return {
    ...filters,
    bylines: Array.isArray(bylines) ? await selectCreditedBylines(ctx.db, bylines) : bylines,
    termGroups: await selectTermGroups(ctx.db, termFilters),
  };
}

/** The total in the rows of a first page, null if it is not known. */
export function totalOf(rows: readonly PageRow[]): number | null {
  const [first] = rows;
  return first ? (first._total ?? null) : 0;
}
