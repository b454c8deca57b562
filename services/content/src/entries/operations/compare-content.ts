import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { stagedSelectionsKey } from '../../schema/index.js';
import type { EntryDeps } from '../entry-deps.js';
import { draftValues, liveValues, stagedSlug, type EntryRow, type EntryValues } from '../entry-row.js';
import { hydrateImages } from '../hydrate-images.js';
import { loadEntry, withDefinition, type EntryTarget } from '../load-entry.js';
import { asStaged, stagedSelections, type ReferenceSelection } from '../references/reference-selection.js';

import { selectLiveGroups } from '../references/references.repository.js';

export interface Comparison {
  hasChanges: boolean;
  live: EntryValues | null;
  draft: EntryValues | null;
}

/**
 * @returns the complete live and staged values of an entry, null where it has none. `_references` has the selected
 *   groups of each reference field with a staged selection (contract 7, compareContent).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND.
 */
export async function compareContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<Comparison> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, { rows: 'not-trashed' });
    const draft = draftValues(definition, row);
    const live = row.status === 'published' ? liveValues(definition, row) : null;
    const shown = [draft, live].filter((values) => values !== undefined && values !== null);
    await hydrateImages(ctx, deps.media, definition, shown);
    const slug = stagedSlug(row);
    const staged = stagedSelections(definition, row);
    return {
      hasChanges: row.draftRevisionId !== null && row.draftRevisionId !== row.liveRevisionId,
      live: live && withSelections(live, await selectLive(ctx.db, row, staged)),
      draft: draft
        ? withSelections({ ...draft, ...(slug === undefined ? {} : { _slug: slug }) }, staged)
        : null,
    };
  });
}

function withSelections(values: EntryValues, selections: readonly ReferenceSelection[]): EntryValues {
  return selections.length === 0 ? values : { ...values, [stagedSelectionsKey]: asStaged(selections) };
}

/** @returns the live selections of the same reference fields. */
async function selectLive(
  sql: Queryable,
  { _group }: EntryRow,
  selections: readonly ReferenceSelection[],
): Promise<ReferenceSelection[]> {
  const live: ReferenceSelection[] = [];
  for (const { reference } of selections)
    live.push({ reference, groups: await selectLiveGroups(sql, reference, _group) });
  return live;
}
