import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import type { EntryDeps } from '../entry-deps.js';
import { entryColumns } from '../entry-row.js';
import { toListItem, type ContentItem } from '../entry.mapper.js';
import { hydrateImages } from '../hydrate-images.js';
import { withDefinition } from '../load-entry.js';
import { selectTrashedEntryPage, trashOrder } from '../repository/list-entries.js';

/** An entry in the trash (contract 6, TrashedContentItem), with its live values. */
export interface TrashedItem extends ContentItem {
  deletedAt: string;
}

export interface TrashQuery {
  collection: string;
  cursor?: string | undefined;
  limit: number;
  locale?: string | undefined;
}

/**
 * Lists a page of a collection's trash, last deleted first (contract 7).
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_CURSOR, VALIDATION_ERROR (locale).
 */
export async function listTrashedContent(
  ctx: Context,
  deps: EntryDeps,
  { collection, ...query }: TrashQuery,
): Promise<{ items: TrashedItem[]; nextCursor?: string }> {
  const locale = query.locale === undefined ? undefined : deps.locales.of(ctx).requested(query.locale);
  return withDefinition(ctx, deps, collection, async (definition) => {
    const scope = cursorScope({
      operation: 'listTrashedContent',
      tenant: ctx.principal.tenant.id,
      collection: definition.id,
      locale,
    });
    const page = new KeysetPage(trashOrder, scope, query);
    const columns = entryColumns(definition, deps.locales.of(ctx).default);
    const rows = await selectTrashedEntryPage(ctx.db, definition, { page, columns, locale });
    const { items, ...next } = page.cut(rows, ({ deletedAt, id }) => ({ value: deletedAt, id }));
    const trashed = items.map((row) => ({
      ...toListItem(definition, row, true),
      deletedAt: row.deletedAt,
    }));
    await hydrateImages(
      ctx,
      deps.media,
      definition,
      trashed.map(({ data }) => data),
    );
    return { ...next, items: trashed };
  });
}
