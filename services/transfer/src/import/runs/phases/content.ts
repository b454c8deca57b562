import type { Context } from '@quire/context';
import { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';
import { KnownMedia } from '../../media/index.js';
import { ContentBatches, type ContentBatch } from '../entries/content-batches.js';
import type { ConvertedItem } from '../entries/item-converter.js';
import { commentsOf } from '../entries/comments.js';
import { failureOf, warningAbout, type NewIssue } from '../import-issues.repository.js';
import { countPendingItems, selectPendingItems, type ItemResult } from '../import-items.repository.js';
import type { ImportProgress } from '../import-progress.js';
import { lookUp } from '../import-state.js';
import { loadCredits } from './bylines.js';
import type { Phase } from './phase.js';

type EntryResult = contentImportApi.ImportedEntryResult;

/**
 * Imports the entries in file order, batch by batch, each with its comments. The next batch is converted while the
 * content service writes the present one.
 */
export const importContent: Phase = async (ctx, deps, progress, mustStop) => {
  const { id } = progress.row;
  if (progress.row.cursor === 0) {
    await failBrokenItems(ctx, progress);
    await progress.begin(await countPendingItems(ctx.db, id, { kind: 'content', after: 0 }));
  }
  const credits = await loadCredits(ctx, deps, progress.row);
  const targets = await deps.clients.content.call(contentImportApi.getImportTargets, ctx);
  const media = await KnownMedia.open(ctx, deps.clients.media);
  const batches = new ContentBatches(ctx, deps, { row: progress.row, credits, targets }, media);
  let next = batches.read(progress.row.cursor);
  while (!mustStop() && !progress.isPaused) {
    const batch = await next;
    if (!batch) return progress.nextPhase();
    next = batches.read(batch.cursor);
    // A failed read is reported when it is awaited; until then it must not end the process.
    next.catch(() => undefined);
    await writeBatch(ctx, deps, progress, batch);
  }
  await next.catch(() => undefined);
};

async function writeBatch(
  ctx: Context,
  { clients }: TransferDeps,
  progress: ImportProgress,
  batch: ContentBatch,
): Promise<void> {
  const { id: importId, site, config } = progress.row;
  const run = { importId, site };
  const write = async (entries: contentImportApi.ImportedEntry[]) => {
    const { skipExisting } = config;
    const { media } = batch;
    return clients.content.call(contentImportApi.importEntries, ctx, {
      ...run,
      entries,
      skipExisting,
      media,
    });
  };
  const written = await writeEntries(batch.items, write);
  const comments = { imported: 0, skipped: 0 };
  const issues: NewIssue[] = written.flatMap(({ item, result }) => issuesOf(item, result));
  if (config.importComments) {
    const { requests, skipped } = commentsOf(written, progress.row.channel);
    comments.skipped += skipped;
    for (const part of requests) {
      const answer = await clients.content.call(contentImportApi.importComments, ctx, {
        ...run,
        comments: part,
      });
      comments.imported += answer.imported;
      comments.skipped += answer.skipped;
    }
  }
  await progress.record({
    cursor: batch.cursor,
    results: written.map(({ item, result }): ItemResult => ({
      position: item.position,
      state: stateOf(result),
      entryId: result.entryId,
    })),
    issues,
    count: (counts) => {
      for (const { item, result } of written) {
        const state = stateOf(result);
        counts.entries[state] += 1;
        if (result.outcome === 'failed' && result.entryId !== null) counts.drafts += 1;
        if (state === 'skipped') continue;
        counts.mediaReferences += item.mediaReferences;
        counts.assignments += result.assignments;
        if (state === 'failed') continue;
        const { collection } = item.entry;
        counts.byCollection[collection] = (lookUp(counts.byCollection, collection) ?? 0) + 1;
      }
      counts.comments.imported += comments.imported;
      counts.comments.skipped += comments.skipped;
    },
  });
}

interface WrittenItem {
  item: ConvertedItem;
  result: EntryResult;
}

/** Writes entries; those that fail are written again as drafts with their source. */
async function writeEntries(
  items: readonly ConvertedItem[],
  write: (entries: contentImportApi.ImportedEntry[]) => Promise<{ results: EntryResult[] }>,
): Promise<WrittenItem[]> {
  const { results } = await write(items.map(({ entry }) => entry));
  const written = items.map((item, index) => ({ item, result: results[index] as EntryResult }));
  const failed = written.filter(
    ({ item, result }) => result.outcome === 'failed' && result.entryId === null && !item.entry.original,
  );
  if (failed.length === 0) return written;
  const repeated = await write(failed.map(({ item }) => ({ ...item.entry, original: item.original() })));
  failed.forEach((each, index) => (each.result = repeated.results[index] as EntryResult));
  return written;
}

function stateOf({ outcome }: EntryResult): 'imported' | 'updated' | 'skipped' | 'failed' {
  switch (outcome) {
    case 'created':
      return 'imported';
    case 'updated':
      return 'updated';
    case 'failed':
      return 'failed';
    default:
      return 'skipped';
  }
}

/** The warnings of an entry that was written, and its failure. */
function issuesOf({ entry, warnings }: ConvertedItem, result: EntryResult): NewIssue[] {
  const base = {
    title: entry.title,
    sourceType: entry.source.type,
    sourceId: entry.source.id,
    collection: entry.collection,
    entryId: result.entryId,
  };
  const state = stateOf(result);
  const found = state === 'skipped' ? [] : [...warnings, ...result.warnings];
  const issues = found.map((warning) => warningAbout(base, warning));
  if (result.error) issues.push(failureOf({ ...base, savedAsDraft: result.entryId !== null }, result.error));
  return issues;
}

/** Items that could not be read are failures with their line; the other items are imported. */
async function failBrokenItems(ctx: Context, progress: ImportProgress): Promise<void> {
  const { id } = progress.row;
  for (;;) {
    const items = await selectPendingItems(ctx.db, id, { kind: 'broken', after: 0, limit: 200 });
    if (items.length === 0) return;
    await progress.record({
      cursor: 0,
      results: items.map(({ position }) => ({ position, state: 'failed' })),
      issues: items.map(({ title, line, facts }) => {
        const { reason } = facts as { reason: string };
        const message = line === null ? reason : `Line ${line}: ${reason}`;
        return failureOf({ title }, { code: 'ITEM_UNREADABLE', message });
      }),
      count: (counts) => {
        counts.entries.failed += items.length;
      },
    });
  }
}
