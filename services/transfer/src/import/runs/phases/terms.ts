import type { Context } from '@quire/context';
import { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { TermFacts } from '../export-index.js';
import { warningAbout, type NewIssue } from '../import-issues.repository.js';
import { countPendingItems, selectPendingItems, type StoredItem } from '../import-items.repository.js';
import type { ImportProgress } from '../import-progress.js';
import { addTo, lookUp } from '../import-state.js';
import type { ImportRow } from '../imports.repository.js';
import type { Phase } from './phase.js';

type TermsRequest = Parameters<typeof requestTerms>[3];

/** Creates the taxonomies and terms of the file; the same terms are reused by later imports. */
export const createTerms: Phase = (ctx, deps, progress, mustStop) =>
  forEachPage(ctx, deps, progress, { step: 'create', mustStop });

/** Links terms to their parents, which may come later in the file (contract 2.5). */
export const linkTerms: Phase = (ctx, deps, progress, mustStop) =>
  forEachPage(ctx, deps, progress, { step: 'link', mustStop });

async function forEachPage(
  ctx: Context,
  deps: TransferDeps,
  progress: ImportProgress,
  { step, mustStop }: { step: 'create' | 'link'; mustStop: () => boolean },
): Promise<void> {
  const { id } = progress.row;
  if (progress.row.cursor === 0) {
    await progress.begin(await countPendingItems(ctx.db, id, { kind: 'term', after: 0 }));
    await requestTerms(ctx, deps, progress.row, { step, taxonomies: taxonomiesOf(progress.row), items: [] });
  }
  while (!mustStop() && !progress.isPaused) {
    const page = {
      kind: 'term',
      after: progress.row.cursor,
      limit: contentImportApi.maxImportedItems,
    } as const;
    const items = await selectPendingItems(ctx.db, id, page);
    const last = items.at(-1);
    if (!last) return progress.nextPhase();
    const { created, reused, issues } = await requestTerms(ctx, deps, progress.row, {
      step,
      taxonomies: [],
      items,
    });
    await progress.record({
      cursor: last.position,
      issues,
      count: (counts) => {
        counts.phase.done += items.length;
        if (step === 'link') return;
        addTo(counts.termsCreated, created);
        addTo(counts.termsReused, reused);
      },
    });
  }
}

async function requestTerms(
  ctx: Context,
  { clients }: TransferDeps,
  { id: importId, site, config }: ImportRow,
  {
    step,
    taxonomies,
    items,
  }: {
    step: 'create' | 'link';
    taxonomies: { name: string; label: string; hierarchical: boolean; collections: string[] }[];
    items: readonly StoredItem[];
  },
): Promise<{ created: Record<string, number>; reused: Record<string, number>; issues: NewIssue[] }> {
  const terms = items
    .filter(({ parentId }) => step === 'create' || parentId !== null)
    .map(({ sourceType, slug, title, parentId, facts }) => ({
      taxonomy: sourceType,
      slug: slug ?? '',
      label: title ?? slug ?? '',
      description: (facts as TermFacts).description || null,
      parentSlug: parentId,
    }));
  if (terms.length === 0 && taxonomies.length === 0) return { created: {}, reused: {}, issues: [] };
  const { created, reused, warnings } = await clients.content.call(contentImportApi.importTerms, ctx, {
    importId,
    site,
    locale: config.locale,
    taxonomies,
    terms,
    step,
  });
  const issues = warnings.map(({ taxonomy, slug, ...warning }) =>
    warningAbout({ title: slug, sourceType: taxonomy }, warning),
  );
  return { created, reused, issues };
}

/** The taxonomies of the file with the collections that their items are imported into. */
function taxonomiesOf({ channel, config }: ImportRow): TermsRequest['taxonomies'] {
  return Object.entries(channel.taxonomies).map(([name, { label, hierarchical, postTypes }]) => ({
    name,
    label,
    hierarchical,
    collections: [...new Set(postTypes.flatMap((type) => lookUp(config.mappings, type) ?? []))],
  }));
}
