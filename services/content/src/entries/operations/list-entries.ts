import type { Context } from '@quire/context';
import type { Conditional } from '@quire/http-server';
import {
  afterPosition,
  cursorScope,
  encodeCursor,
  identifier,
  keysetOrder,
  Parameters,
} from '@quire/database';
import type { CollectionDefinition } from '../../schema/index.js';
import { withDefinition } from '../change-entry.js';
import { seesDrafts } from '../entries.policy.js';
import { listItem, type ContentItem } from '../entry-answer.js';
import { entryColumns, entryState, stateColumns, type EntryRow } from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import type { ListQuery, OrderColumn } from '../list-query.js';
import { listConditions, orderColumn } from '../statements/list-conditions.js';
import { pagePosition } from '../statements/page-position.js';

export interface EntryPage {
  items: ContentItem[];
  nextCursor?: string;
  /** Rows that match, on the first page. */
  total?: number;
}

type PageRow = EntryRow & { _total?: number };

/**
 * One page of a collection's entries with their live values, in one statement. Readers without content:read_drafts get
 * published entries alone (spec document 1, Roles).
 * @param conditional ends the read early, after one cheap statement, when the client has seen this state
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_CURSOR, VALIDATION_ERROR (order, filter, locale).
 */
export async function listEntries(
  ctx: Context,
  services: EntryServices,
  collection: string,
  query: ListQuery,
  conditional?: Conditional,
): Promise<EntryPage> {
  const isEditor = seesDrafts(ctx.principal);
  const visible: ListQuery = {
    ...query,
    status: isEditor ? query.status : narrowedToPublished(query.status),
    locale: query.locale === undefined ? undefined : services.locales.stored(query.locale),
  };
  return withDefinition(ctx, services, collection, async (definition) => {
    const order = orderColumn(definition, query.orderBy);
    const scope = pageScope(ctx, definition, visible);
    const read = (columns: string) =>
      ctx.db.query<PageRow>(pageStatement(definition, visible, { order, scope, columns }));
    const stateOf = (rows: PageRow[]) => [
      definition.statementKey,
      isEditor,
      scope,
      query.limit,
      query.cursor ?? null,
      rows[0]?._total ?? null,
      rows.map(entryState),
    ];
    if (conditional?.isAsked) conditional.endIfSeen(stateOf(await read(stateColumns(definition))));
    const rows = await read(entryColumns(definition));
    conditional?.mark(stateOf(rows));
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const hasMore = rows.length > query.limit && last;
    return {
      items: page.map((row) => listItem(definition, row, isEditor)),
      ...(hasMore
        ? { nextCursor: encodeCursor(scope, { value: orderValue(last, order), id: last.id }) }
        : {}),
      ...(query.cursor === undefined ? { total: rows[0]?._total ?? 0 } : {}),
    };
  });
}

/** A reader's filter on another status matches nothing; no filter means published. */
function narrowedToPublished(status: string | undefined): string {
  return status === undefined || status === 'published' ? 'published' : '';
}

function pageScope(ctx: Context, definition: CollectionDefinition, query: ListQuery): string {
  const { cursor, limit, ...filters } = query;
  return cursorScope({
    operation: 'listContent',
    tenant: ctx.principal.tenant.id,
    collection: definition.id,
    filters,
  });
}

function pageStatement(
  definition: CollectionDefinition,
  query: ListQuery,
  { order, scope, columns }: { order: OrderColumn; scope: string; columns: string },
) {
  const parameters = new Parameters();
  const from = `${identifier(definition.table)} e`;
  const filter = listConditions(definition, query, parameters).join(' AND ');
  const total =
    query.cursor === undefined ? `, (SELECT count(*) FROM ${from} WHERE ${filter}) AS _total` : '';
  const after =
    query.cursor === undefined
      ? ''
      : ` AND ${afterPosition(
          { column: order.sql, idColumn: 'e.id', direction: query.order, cast: order.cast },
          pagePosition(scope, query.cursor, order.cast),
          (value, cast) => parameters.add(value, cast),
        )}`;
  const text = `SELECT ${columns}${total} FROM ${from} WHERE ${filter}${after}
    ORDER BY ${keysetOrder(order.sql, 'e.id', query.order)} LIMIT ${parameters.add(query.limit + 1)}`;
  return { text, values: parameters.values, keepsPlan: true };
}

function orderValue(row: EntryRow, { key }: OrderColumn): string | number | null {
  return (row[key] ?? null) as string | number | null;
}
