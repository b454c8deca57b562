import { contentImportApi } from '@quire/internal-api';
import { sourceKeyOf } from '../entries/source-key.js';
import { warningAbout } from '../import-issues.repository.js';
import { countPlacedItems, selectPlacedItems, type StoredItem } from '../import-items.repository.js';
import type { Phase } from './phase.js';

/** Links entries to their parents, which may come later in the file (contract 1.4, Order). */
export const linkEntries: Phase = async (ctx, { clients }, progress, mustStop) => {
  const { id: importId, site } = progress.row;
  if (progress.row.cursor === 0) await progress.begin(await countPlacedItems(ctx.db, importId));
  while (!mustStop() && !progress.isPaused) {
    const page = { after: progress.row.cursor, limit: contentImportApi.maxImportedItems };
    const items = await selectPlacedItems(ctx.db, importId, page);
    const last = items.at(-1);
    if (!last) return progress.nextPhase();
    const { warnings } = await clients.content.call(contentImportApi.linkEntryParents, ctx, {
      importId,
      site,
      children: items.map(keyOf),
    });
    await progress.record({
      cursor: last.position,
      issues: warnings.map(({ source, ...warning }) => {
        const isSource = (item: StoredItem) =>
          item.sourceType === source.type && keyOf(item).id === source.id;
        const title = items.find(isSource)?.title ?? null;
        return warningAbout({ title, sourceType: source.type, sourceId: source.id }, warning);
      }),
      count: (counts) => {
        counts.phase.done += items.length;
      },
    });
  }
};

const keyOf = ({ sourceType, sourceId, position }: StoredItem) => sourceKeyOf(sourceType, sourceId, position);
