import type { Context } from '@quire/context';
import { cursorScope } from '@quire/database';
import type { CollectionDefinition, SharedCounter } from '../../schema/index.js';
import { respond, type EntryRead, type HttpRead } from '../cached-responses/index.js';
import { canSeeDrafts } from '../entries.policy.js';
import type { ListQuery } from '../entries.schemas.js';
import type { EntryDeps } from '../entry-deps.js';
import { entryColumns, entryState, stateColumns } from '../entry-row.js';
import { toListItem, type ContentItem } from '../entry.mapper.js';
import { hydrateImages } from '../hydrate-images.js';
import { withDefinition } from '../load-entry.js';
import { convertToMarkdown } from '../markdown-values.js';
import type { PageRow } from '../repository/list-entries.js';
import { orderColumn } from '../repository/list-order.js';
import { openEntryList, totalOf, type EntryList } from './entry-list.js';

export interface EntryPage {
  items: ContentItem[];
  nextCursor?: string;
  /** Number of matching entries, on the first page; absent where counting them would read too many. */
  total?: number;
}

interface ListRequest extends ListQuery {
  collection: string;
  /** Returns rich text as Markdown. */
  markdown?: boolean;
}

/**
 * Lists a page of a collection's entries with their live values, in one statement; the names of terms and bylines are
 * resolved before. Readers without content:read_drafts get published entries, whatever status they ask for (spec
 * document 1, Roles).
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_CURSOR, VALIDATION_ERROR (order, filter, locale).
 */
export async function listContent(
  ctx: Context,
  deps: EntryDeps,
  { collection, ...request }: ListRequest,
): Promise<EntryPage> {
  return withDefinition(ctx, deps, collection, async (definition) => {
    const { result } = await listRead(ctx, deps, definition, request).read('');
    return result;
  });
}

/** `listContent` as a response, which may be 304 or come from the cache. @throws also NotModified */
export async function respondWithList(
  ctx: Context,
  deps: EntryDeps,
  { collection, ...query }: ListQuery & { collection: string },
  http: HttpRead,
): Promise<EntryPage | Buffer> {
  return withDefinition(ctx, deps, collection, (definition) =>
    respond(ctx, deps.media, http, listRead(ctx, deps, definition, query)),
  );
}

function listRead(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  { markdown, ...query }: Omit<ListRequest, 'collection'>,
): EntryRead<EntryPage> {
  const isEditor = canSeeDrafts(ctx.principal);
  const { default: defaultLocale } = deps.locales.of(ctx);
  const namesTerms = Object.keys(query.termFilters ?? {}).length > 0;
  const shared: SharedCounter[] = ['schema', 'bylines', ...(namesTerms ? (['terms'] as const) : [])];
  let opened: Promise<OpenList> | undefined;
  const open = () => (opened ??= openList(ctx, deps, definition, { ...query, isEditor }));
  return {
    definition,
    counters: [definition.table, ...shared],
    key: ['list', isEditor, defaultLocale, query],
    readsBefore: namesTerms || Array.isArray(query.bylines),
    readState: async (versionColumn) => {
      const list = await open();
      const rows = await list.select(stateColumns(definition, defaultLocale) + versionColumn);
      return { state: list.stateOf(rows), row: rows[0] };
    },
    read: async (versionColumn) => {
      const list = await open();
      const rows = await list.select(entryColumns(definition, defaultLocale) + versionColumn);
      const { items, ...next } = list.cut(rows);
      const total = totalOf(rows);
      const listItems = items.map((row) => toListItem(definition, row, isEditor));
      const values = listItems.map(({ data }) => data);
      const isComplete = await hydrateImages(ctx, deps.media, definition, values);
      if (markdown) await convertToMarkdown(definition, listItems);
      const result = {
        items: listItems,
        ...next,
        ...(list.isFirst && total !== null ? { total } : {}),
      };
      return { result, state: list.stateOf(rows), row: rows[0], isComplete };
    },
  };
}

async function openList(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  { isEditor, ...query }: ListQuery & { isEditor: boolean },
): Promise<OpenList> {
  const locales = deps.locales.of(ctx);
  const visible: ListQuery = {
    ...query,
    status: isEditor ? query.status : 'published',
    locale: query.locale === undefined ? undefined : locales.requested(query.locale),
  };
  const { cursor, limit, ...filters } = visible;
  const scope = cursorScope({
    operation: 'listContent',
    tenant: ctx.principal.tenant.id,
    collection: definition.id,
    filters,
  });
  const list = await openEntryList(ctx, definition, {
    scope,
    query: visible,
    order: orderColumn(definition, query.orderBy),
    defaultLocale: locales.default,
  });
  const stateOf: OpenList['stateOf'] = (rows) => [
    isEditor,
    scope,
    limit,
    cursor ?? null,
    totalOf(rows),
    rows.map(entryState),
  ];
  return { ...list, stateOf };
}

interface OpenList extends EntryList {
  stateOf(rows: readonly PageRow[]): unknown;
}
