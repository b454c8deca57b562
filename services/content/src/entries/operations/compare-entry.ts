import type { Context } from '@quire/context';
import { loadEntry, withDefinition, type EntryTarget } from '../change-entry.js';
import { draftValues, liveValues, stagedSlug, type EntryValues } from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { addImageSources } from '../image-sources.js';

export interface Comparison {
  hasChanges: boolean;
  live: EntryValues | null;
  draft: EntryValues | null;
}

/**
 * The live and the staged values of an entry, each complete; null where there is none.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND.
 */
export async function compareEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
): Promise<Comparison> {
  return withDefinition(ctx, services, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, services, definition, target, { rows: 'not-trashed' });
    const draft = draftValues(definition, row);
    const live = row.status === 'published' ? liveValues(definition, row) : null;
    const shown = [draft, live].filter((values) => values !== undefined && values !== null);
    await addImageSources(ctx, services.media, definition, shown);
    const slug = stagedSlug(row);
    return {
      hasChanges: row.draftRevisionId !== null && row.draftRevisionId !== row.liveRevisionId,
      live,
      draft: draft ? { ...draft, ...(slug === undefined ? {} : { _slug: slug }) } : null,
    };
  });
}
