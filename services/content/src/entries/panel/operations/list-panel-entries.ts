import type { Context } from '@quire/context';
import { cursorScope } from '@quire/database';
import { invalidInput } from '@quire/errors';
import { titleFieldOf, type CollectionDefinition } from '../../../schema/index.js';
import type { EntryDeps } from '../../entry-deps.js';
import { hydrateImages } from '../../hydrate-images.js';
import { withDefinition } from '../../load-entry.js';
import { openEntryList, totalOf } from '../../operations/entry-list.js';
import { panelOrderColumn } from '../../repository/list-order.js';
import { panelColumns, type PanelRow } from '../panel-entries.repository.js';
import { maxPanelCount, type PanelEntriesPage, type PanelEntriesQuery } from '../panel-entries.schemas.js';
import { shownValues, toPanelEntry, type ShownFields } from '../panel-entry.mapper.js';
import { filtersOfView } from '../views.js';

/**
 * Lists a page of a view of a collection's entries, as editors see them: titles, columns and the search show drafts
 * over live values.
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_CURSOR, VALIDATION_ERROR (columns, order, filter, locale).
 */
export async function listPanelEntries(
  ctx: Context,
  deps: EntryDeps,
  { collection, ...query }: PanelEntriesQuery & { collection: string },
): Promise<PanelEntriesPage> {
  return withDefinition(ctx, deps, collection, async (definition) => {
    const fields = shownFields(definition, query.columns);
    const shown = [fields.title ?? [], fields.image ?? [], fields.columns].flat();
    const { default: defaultLocale } = deps.locales.of(ctx);
    const list = await openPanelList(ctx, deps, definition, query);
    const rows = (await list.select(panelColumns(definition, shown, defaultLocale))) as PanelRow[];
    const { items, ...next } = list.cut(rows) as { items: PanelRow[]; nextCursor?: string };
    const values = items.map((row) => shownValues(definition, row, shown));
    const images = { ...definition, columns: shown.filter(({ type }) => type === 'image') };
    const [names] = await Promise.all([
      deps.users.namesOrEmpty(
        ctx,
        items.map(({ authorId }) => authorId),
      ),
      hydrateImages(ctx, deps.media, images, values),
    ]);
    const nameOf = (userId: string) => names.get(userId) ?? null;
    const total = list.isFirst ? totalOf(rows) : null;
    return {
      items: items.map((row, index) => toPanelEntry(row, values[index] ?? {}, fields, nameOf)),
      ...next,
      ...(total === null ? {} : { total }),
    };
  });
}

function openPanelList(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  { view, columns: _columns, cursor, limit, ...query }: Omit<PanelEntriesQuery, 'collection'>,
) {
  const locales = deps.locales.of(ctx);
  const isTrash = view === 'trash';
  const { orderBy = isTrash ? 'deletedAt' : 'editedAt' } = query;
  const filters = {
    ...query,
    ...filtersOfView(view, ctx.principal.userId),
    orderBy,
    locale: query.locale === undefined ? undefined : locales.requested(query.locale),
  };
  const scope = cursorScope({
    operation: 'listPanelEntries',
    tenant: ctx.principal.tenant.id,
    collection: definition.id,
    filters,
  });
  return openEntryList(ctx, definition, {
    scope,
    query: { ...filters, cursor, limit, searchesDrafts: true },
    order: panelOrderColumn(definition, orderBy, { isTrash }),
    defaultLocale: locales.default,
    countedTo: maxPanelCount,
  });
}

/** @throws QuireError VALIDATION_ERROR for a column that is no field. */
function shownFields(definition: CollectionDefinition, columns: readonly string[] = []): ShownFields {
  return {
    title: titleFieldOf(definition),
    image: definition.columns.find(({ type }) => type === 'image'),
    columns: columns.map((slug) => {
      const field = definition.fieldBySlug.get(slug);
      if (field) return field;
      const message = `'${slug}' is not a field of '${definition.slug}'`;
      throw invalidInput([{ path: 'columns', message }]);
    }),
  };
}
