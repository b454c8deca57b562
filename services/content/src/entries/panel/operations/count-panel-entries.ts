import type { Context } from '@quire/context';
import type { EntryDeps } from '../../entry-deps.js';
import { withDefinition } from '../../load-entry.js';
import type { ListFilters } from '../../repository/list-conditions.js';
import { countLists } from '../panel-entries.repository.js';
import { panelViews, type PanelCounts, type PanelView } from '../panel-entries.schemas.js';
import { filtersOfView } from '../views.js';

/**
 * Counts the entries of each view of a collection, each up to 10,000: from stored counts, else from the view's index.
 * @throws QuireError COLLECTION_NOT_FOUND, VALIDATION_ERROR (locale).
 */
export async function countPanelEntries(
  ctx: Context,
  deps: EntryDeps,
  { collection, locale }: { collection: string; locale?: string | undefined },
): Promise<PanelCounts> {
  const locales = deps.locales.of(ctx);
  const requested = locale === undefined ? undefined : locales.requested(locale);
  const list = (view: PanelView): ListFilters => ({
    ...filtersOfView(view, ctx.principal.userId),
    locale: requested,
    termGroups: [],
    bylines: undefined,
    includeInferredBylines: false,
  });
  const lists = Object.fromEntries(panelViews.map((view) => [view, list(view)])) as Record<
    PanelView,
    ListFilters
  >;
  return withDefinition(ctx, deps, collection, (definition) =>
    countLists(ctx.db, definition, lists, locales.default),
  );
}
