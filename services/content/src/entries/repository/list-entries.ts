import { identifier, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import { sameLocale } from '../../locales/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import type { ListQuery } from '../entries.schemas.js';
import type { EntryRow } from '../entry-row.js';
import { listConditions } from './list-conditions.js';

export type PageRow = EntryRow & { _total?: number };

/** SQL of the entries `e` of a collection. */
export const fromEntries = ({ table }: Pick<CollectionDefinition, 'table'>) => `${identifier(table)} e`;

/** @returns the rows of one page of the matching entries; those of the first page have the total. */
export function selectEntryPage(
  sql: Queryable,
  definition: CollectionDefinition,
  query: ListQuery,
  { page, columns, defaultLocale }: { page: KeysetPage; columns: string; defaultLocale: string },
): Promise<PageRow[]> {
  const params = new Parameters();
  const from = fromEntries(definition);
  const filter = listConditions(definition, query, defaultLocale, params).join(' AND ');
  const total = page.isFirst ? `, (SELECT count(*) FROM ${from} WHERE ${filter}) AS _total` : '';
  const text = `SELECT ${columns}${total} FROM ${from} WHERE ${filter} AND ${page.condition(params)}
    ${page.order(params)}`;
  return sql.query<PageRow>({ text, values: params.values, prepared: true });
}

/** @returns the rows of one page of the trash. */
export function selectTrashedEntryPage(
  sql: Queryable,
  definition: CollectionDefinition,
  { page, columns, locale }: { page: KeysetPage; columns: string; locale: string | undefined },
): Promise<(EntryRow & { deletedAt: string })[]> {
  const params = new Parameters();
  const conditions = ['e.deleted_at IS NOT NULL', page.condition(params)];
  if (locale !== undefined) conditions.push(sameLocale('e._locale', params.add(locale, 'text')));
  return sql.query<EntryRow & { deletedAt: string }>(
    `SELECT ${columns} FROM ${fromEntries(definition)} WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}
