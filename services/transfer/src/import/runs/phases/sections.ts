import { contentImportApi } from '@quire/internal-api';
import { convertContent } from '../../conversion/index.js';
import { parseItem } from '../../export-file/index.js';
import { KnownMedia } from '../../media/index.js';
import { loadLookups } from '../entries/lookups.js';
import { warningAbout, type NewIssue } from '../import-issues.repository.js';
import {
  countPendingItems,
  selectPendingItems,
  skipKind,
  type StoredItem,
} from '../import-items.repository.js';
import { readItems } from '../read-items.js';
import type { Phase } from './phase.js';

/** Sections of one step: their sources are read together. */
const maxItems = 20;

/** Creates sections from reusable blocks (spec document 3, rule 4); one with the slug is left as it is. */
export const importSections: Phase = async (ctx, { clients, store }, progress, mustStop) => {
  const { id: importId, site, channel, config, fileKey } = progress.row;
  if (!config.importSections) await skipKind(ctx.db, importId, 'section');
  if (progress.row.cursor === 0)
    await progress.begin(await countPendingItems(ctx.db, importId, { kind: 'section', after: 0 }));
  const known = await KnownMedia.open(ctx, clients.media);
  while (!mustStop() && !progress.isPaused) {
    const page = { kind: 'section', after: progress.row.cursor, limit: maxItems } as const;
    const stored = await selectPendingItems(ctx.db, importId, page);
    const last = stored.at(-1);
    if (!last) return progress.nextPhase();
    const parts = await readItems(store, fileKey, stored);
    const items = parts.map((bytes) => parseItem(bytes, channel.namespaces));
    const lookups = await loadLookups(ctx.db, progress.row, stored, items);
    const issues: NewIssue[] = [];
    const sections = items.map((item, index) => {
      const { title, slug, position, sourceId } = stored[index] as StoredItem;
      const { blocks, warnings } = convertContent(item.content, lookups.conversionOf(item, channel.siteUrl));
      const subject = { title, sourceType: item.type, sourceId };
      issues.push(...warnings.map((warning) => warningAbout(subject, warning)));
      return {
        source: { type: item.type, id: keyOf(stored[index] as StoredItem) },
        slug: slug ?? `section-${position}`,
        title: title ?? '',
        content: blocks,
      };
    });
    const media = await known.namedIn(sections.map(({ content }) => content));
    const { created, createdIds, skipped, warnings } = await clients.content.call(
      contentImportApi.importSections,
      ctx,
      { importId, site, sections, media },
    );
    const isCreated = new Set(createdIds);
    await progress.record({
      cursor: last.position,
      issues: [
        ...issues,
        ...warnings.map(({ id, ...warning }) =>
          warningAbout({ sourceType: 'wp_block', sourceId: id }, warning),
        ),
      ],
      results: stored.map((item) => ({
        position: item.position,
        state: isCreated.has(keyOf(item)) ? 'imported' : 'skipped',
      })),
      count: (counts) => {
        counts.sections.created += created;
        counts.sections.skipped += skipped;
      },
    });
  }
};

const keyOf = ({ sourceId, position }: StoredItem) => sourceId ?? `position-${position}`;
