import type { Context } from '@quire/context';
import type { Conditional } from '@quire/http-server';
import { cursorScope, KeysetPage } from '@quire/database';
import type { CollectionDefinition } from '../../schema/index.js';
import { selectCreditedBylines } from '../../bylines/credits/index.js';
import { selectTermGroups } from '../../taxonomies/assignments/index.js';
import { canSeeDrafts } from '../entries.policy.js';
import type { ListQuery } from '../entries.schemas.js';
import type { EntryDeps } from '../entry-deps.js';
import { entryColumns, entryState, stateColumns, type EntryRow } from '../entry-row.js';
import { toListItem, type ContentItem } from '../entry.mapper.js';
import { hydrateImages, imageState } from '../hydrate-images.js';
import { withDefinition } from '../load-entry.js';
import { convertToMarkdown } from '../markdown-values.js';
import { fromEntries, type ListFilters } from '../repository/list-conditions.js';
import { selectEntryPage, type PageRow } from '../repository/list-entries.js';
import { orderColumn, type OrderColumn } from '../repository/list-order.js';

export interface EntryPage {
  items: ContentItem[];
  nextCursor?: string;
  /** Number of matching entries, on the first page; absent where counting them would read too many. */
  total?: number;
}

interface ListRequest extends ListQuery {
  collection: string;
  conditional?: Conditional;
  /** Returns rich text as Markdown. */
  markdown?: boolean;
}

/**
 * Lists a page of a collection's entries with their live values, in one statement; the names of terms and bylines are
 * resolved before. Readers without content:read_drafts get published entries, whatever status they ask for (spec
 * document 1, Roles).
 * @param input.conditional ends the read after one cheap statement if the client has the present state
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_CURSOR, VALIDATION_ERROR (order, filter, locale).
 */
export async function listContent(
  ctx: Context,
  deps: EntryDeps,
  { collection, conditional, markdown, ...query }: ListRequest,
): Promise<EntryPage> {
  const isEditor = canSeeDrafts(ctx.principal);
  const visible: ListQuery = {
    ...query,
    status: isEditor ? query.status : 'published',
    locale: query.locale === undefined ? undefined : deps.locales.requested(query.locale),
  };
  return withDefinition(ctx, deps, collection, async (definition) => {
    const order = orderColumn(definition, query.orderBy);
    const scope = pageScope(ctx, definition, visible);
    const { default: defaultLocale } = deps.locales;
    const { sql: column, ...ordered } = order;
    const page = new KeysetPage(
      {
        ...ordered,
        column,
        idColumn: 'e.id',
        direction: query.order,
        from: fromEntries(definition),
      },
      scope,
      query,
    );
    const filters = await resolveFilters(ctx, visible);
    const selectRows = (columns: string) =>
      selectEntryPage(ctx.db, definition, filters, { page, order, columns, defaultLocale });
    const images = conditional && (await imageState(ctx, deps.media, definition));
    const stateOf = (rows: PageRow[]) => [
      definition.statementKey,
      isEditor,
      images,
      scope,
      query.limit,
      query.cursor ?? null,
      totalOf(rows),
      rows.map(entryState),
    ];
    if (conditional?.hasValidators)
      conditional.throwIfNotModified(stateOf(await selectRows(stateColumns(definition, defaultLocale))));
    const rows = await selectRows(entryColumns(definition, defaultLocale));
    const { items, ...next } = page.cut(rows, (row) => ({ value: orderValue(row, order), id: row.id }));
    const total = totalOf(rows);
    const listItems = items.map((row) => toListItem(definition, row, isEditor));
    await hydrateImages(
      ctx,
      deps.media,
      definition,
      listItems.map(({ data }) => data),
    );
    if (markdown) await convertToMarkdown(definition, listItems);
    // No validator if a file changed during the read: the next request reads again.
    if (conditional && images === (await imageState(ctx, deps.media, definition)))
      conditional.mark(stateOf(rows));
    return {
      items: listItems,
      ...next,
      ...(page.isFirst && total !== null ? { total } : {}),
    };
  });
}

async function resolveFilters(ctx: Context, query: ListQuery): Promise<ListFilters> {
  const { bylines, termFilters = {}, ...filters } = query;
  return {
    ...filters,
    bylines: Array.isArray(bylines) ? await selectCreditedBylines(ctx.db, bylines) : bylines,
    termGroups: await selectTermGroups(ctx.db, termFilters),
  };
}

/** The total in the rows of a first page, null if it is not known. */
function totalOf(rows: readonly PageRow[]): number | null {
  const [first] = rows;
  return first ? (first._total ?? null) : 0;
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

function orderValue(row: EntryRow, { key }: OrderColumn): string | number | null {
  return (row[key] ?? null) as string | number | null;
}
