import { literal, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import { sameLocale } from '../../locales/index.js';
import { entryStatuses, type CollectionDefinition } from '../../schema/index.js';
import type { EntryRow } from '../entry-row.js';
import { fromEntries, listConditions, type ListFilters } from './list-conditions.js';
import { deletedOrder, type OrderColumn } from './list-order.js';
import { listTotal, maxTotal } from './list-total.js';

export type PageRow = EntryRow & { _total?: number | null };

/** The page of a list, and how it is read. */
export interface EntryPageOptions {
  page: KeysetPage;
  order: Pick<OrderColumn, 'isByStatus' | 'isUnindexed'>;
  columns: string;
  defaultLocale: string;
  /** Up to so many matching entries are counted; `maxTotal` but for tests. */
  countedTo?: number;
}

/**
 * @returns the rows of one page of the matching entries; those of the first page have the total, null where it is
 *   not counted.
 */
export function selectEntryPage(
  sql: Queryable,
  definition: CollectionDefinition,
  filters: ListFilters,
  options: EntryPageOptions,
): Promise<PageRow[]> {
  const { text, values } = entryPageStatement(definition, filters, options);
  return sql.query<PageRow>({ text, values, prepared: true });
}

/** The statement of `selectEntryPage`. */
export function entryPageStatement(
  definition: CollectionDefinition,
  filters: ListFilters,
  { page, order, columns, defaultLocale, countedTo = maxTotal }: EntryPageOptions,
): { text: string; values: unknown[] } {
  const params = new Parameters();
  const from = fromEntries(definition);
  const conditions = listConditions(definition, filters, defaultLocale, params);
  const where = conditions.all.join(' AND ');
  const total = page.isFirst ? `, ${listTotal(definition, filters, conditions, countedTo)} AS _total` : '';
  if (order.isUnindexed) {
    const text = `SELECT ${columns}${total} FROM ${from} WHERE ${where} AND ${page.condition(params)} ${page.order(params)}`;
    return { text, values: params.values };
  }
  // The entries in a state are read from its index, and sorted.
  const statuses =
    order.isByStatus && filters.status === undefined && filters.state === undefined
      ? entryStatuses.map((status) => ` AND e.status = ${literal(status)}`)
      : [''];
  const parts = statuses.flatMap((ofStatus) =>
    page
      .ranges(params)
      .map(({ condition, order: ordered }) => ({ where: `${where}${ofStatus} AND ${condition}`, ordered })),
  );
  // PostgreSQL plans a limit that it knows once for all executions: planning takes as long as reading a page. The plan
  // of other filters depends on their values.
  const rows = conditions.counts ? page.rowCount : page.rows(params);
  const select = (list: string, part: (typeof parts)[number]) =>
    `SELECT ${list} FROM ${from} WHERE ${part.where} ORDER BY ${part.ordered} LIMIT ${rows}`;
  const [only] = parts;
  if (parts.length === 1 && only) return { text: select(`${columns}${total}`, only), values: params.values };
  // Each part is in the order of an index: PostgreSQL merges them, and reads no more rows than the page has.
  const union = parts.map((part) => `(${select('e.*', part)})`).join(' UNION ALL ');
  const text = `SELECT ${columns}${total} FROM (${union}) e ${page.order(params)}`;
  return { text, values: params.values };
}

/** The trash is ordered by the time of the deletion, the last one first. */
export const trashOrder = {
  ...deletedOrder,
  column: deletedOrder.sql,
  idColumn: 'e.id',
  direction: 'desc',
} as const;

interface TrashPageOptions {
  page: KeysetPage;
  columns: string;
  locale: string | undefined;
}

/** @returns the rows of one page of the trash. */
export function selectTrashedEntryPage(
  sql: Queryable,
  definition: CollectionDefinition,
  options: TrashPageOptions,
): Promise<(EntryRow & { deletedAt: string })[]> {
  const { text, values } = trashPageStatement(definition, options);
  return sql.query<EntryRow & { deletedAt: string }>(text, values);
}

/** The statement of `selectTrashedEntryPage`. */
export function trashPageStatement(
  definition: CollectionDefinition,
  { page, columns, locale }: TrashPageOptions,
): { text: string; values: unknown[] } {
  const params = new Parameters();
  const conditions = ['e.deleted_at IS NOT NULL', page.condition(params)];
  if (locale !== undefined) conditions.push(sameLocale('e._locale', params.add(locale, 'text')));
  const text = `SELECT ${columns} FROM ${fromEntries(definition)} WHERE ${conditions.join(' AND ')} ${page.order(params)}`;
  return { text, values: params.values };
}
