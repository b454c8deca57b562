import type { Context } from '@quire/context';
import type { Conditional } from '@quire/http-server';
import { cursorScope, identifier, KeysetPage, Parameters } from '@quire/database';
import type { CollectionDefinition } from '../../schema/index.js';
import { withDefinition } from '../save-entry.js';
import { canSeeDrafts } from '../entries.policy.js';
import { imageState, hydrateImages } from '../hydrate-images.js';
import { toListItem, type ContentItem } from '../entry.mapper.js';
import { entryColumns, entryState, stateColumns, type EntryRow } from '../entry-row.js';
import type { EntryDeps } from '../entry-deps.js';
import type { ListQuery, OrderColumn } from '../list-query.js';
import { listConditions, orderColumn } from '../repository/list-conditions.js';

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
export async function listContent(
  ctx: Context,
  deps: EntryDeps,
  collection: string,
  query: ListQuery,
  conditional?: Conditional,
): Promise<EntryPage> {
  const isEditor = canSeeDrafts(ctx.principal);
  const visible: ListQuery = {
    ...query,
    status: isEditor ? query.status : narrowedToPublished(query.status),
    locale: query.locale === undefined ? undefined : deps.locales.requested(query.locale),
  };
  return withDefinition(ctx, deps, collection, async (definition) => {
    const order = orderColumn(definition, query.orderBy);
    const scope = pageScope(ctx, definition, visible);
    const { default: defaultLocale } = deps.locales;
    const page = new KeysetPage(
      {
        column: order.sql,
        idColumn: 'e.id',
        direction: query.order,
        cast: order.cast,
        from: entriesOf(definition),
      },
      scope,
      query,
    );
    const read = (columns: string) =>
      ctx.db.query<PageRow>(pageStatement(definition, visible, { page, columns, defaultLocale }));
    const images = conditional && (await imageState(ctx, deps.media, definition));
    const stateOf = (rows: PageRow[]) => [
      definition.statementKey,
      isEditor,
      images,
      scope,
      query.limit,
      query.cursor ?? null,
      rows[0]?._total ?? null,
      rows.map(entryState),
    ];
    if (conditional?.hasValidators)
      conditional.throwIfNotModified(stateOf(await read(stateColumns(definition, defaultLocale))));
    const rows = await read(entryColumns(definition, defaultLocale));
    const { items, ...next } = page.cut(rows, (row) => ({ value: orderValue(row, order), id: row.id }));
    const shown = items.map((row) => toListItem(definition, row, isEditor));
    await hydrateImages(
      ctx,
      deps.media,
      definition,
      shown.map(({ data }) => data),
    );
    // Where a file changed while this was read, the client has to ask again.
    if (conditional && images === (await imageState(ctx, deps.media, definition)))
      conditional.mark(stateOf(rows));
    return {
      items: shown,
      ...next,
      ...(page.isFirst ? { total: rows[0]?._total ?? 0 } : {}),
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
  { page, columns, defaultLocale }: { page: KeysetPage; columns: string; defaultLocale: string },
) {
  const parameters = new Parameters();
  const from = entriesOf(definition);
  const filter = listConditions(definition, query, defaultLocale, parameters).join(' AND ');
  const total = page.isFirst ? `, (SELECT count(*) FROM ${from} WHERE ${filter}) AS _total` : '';
  const text = `SELECT ${columns}${total} FROM ${from} WHERE ${filter} AND ${page.condition(parameters)}
    ${page.order(parameters)}`;
  return { text, values: parameters.values, prepared: true };
}

const entriesOf = ({ table }: CollectionDefinition) => `${identifier(table)} e`;

function orderValue(row: EntryRow, { key }: OrderColumn): string | number | null {
  return (row[key] ?? null) as string | number | null;
}
