import { randomUUID } from 'node:crypto';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import type { ContentReferencesClient } from '../content-references.client.js';
import {
  addCounts,
  startRepair,
  finishRepair,
  lockRepair,
  selectIndexedSince,
  markSubscribed,
  setShape,
  type RepairCounts,
  type RunningRepair,
} from '../usage-coverage.repository.js';
import { selectDigests, upsertIndexedEntries, deleteIndexedEntries } from '../usage-index.repository.js';
import type { RepairedCollection, RepairStatus } from '../usage.schemas.js';
import type { UsageDeps } from '../usage-deps.js';

const pageSize = 200;
/** Attempts to read a page from content, and the pause between them. */
const maxAttemptsPerPage = 4;
const pauseMs = 500;

/** The reason for an incomplete repair. */
type RepairErrorCode = 'CONTENT_UNAVAILABLE' | 'COLLECTION_GONE' | 'REPAIR_SUPERSEDED' | 'INDEX_FAILED';

class RepairFailure extends Error {
  constructor(
    readonly code: RepairErrorCode,
    cause?: unknown,
  ) {
    super(code, { cause });
  }
}

/** The progress of a repair. */
interface Walk {
  counts: RepairCounts;
  /** Shapes of the collection's fields during the repair. With more than one, earlier pages are outdated. */
  shapes: Set<string>;
  pages: number;
}

/**
 * Rebuilds the index of a collection, page by page in the order of its entries' ids (document 1, Media 8). Progress is
 * visible while it runs. A new repair supersedes a running one of the same collection. Entries that the worker indexes
 * during the repair are skipped, since the worker may have read a newer state.
 * @returns the result, which is `failed` or `partial` when content is unavailable
 */
export async function repairCollection(
  ctx: Context,
  { content, logger }: UsageDeps,
  collection: contentApi.RegisteredCollection,
): Promise<RepairedCollection> {
  const repair: RunningRepair = { collectionId: collection.id, token: randomUUID() };
  const { startedAt, isSubscribed } = await ctx.db.transaction((tx) =>
    startRepair(tx, collection, repair.token),
  );
  const walk: Walk = {
    counts: { indexed: 0, failed: 0, skipped: 0, deleted: 0 },
    shapes: new Set(),
    pages: 0,
  };
  let failure: RepairErrorCode | null = null;
  try {
    await storeShape(ctx, content, { collection, walk });
    if (!isSubscribed) await subscribe(ctx, content, collection);
    await walkCollection(ctx, content, { collection, repair, walk });
  } catch (error) {
    failure = error instanceof RepairFailure ? error.code : 'INDEX_FAILED';
    const fields = { tenant: ctx.principal.tenant.id, collection: collection.slug, err: error };
    logger.warn(fields, 'media usage repair failed');
  }
  const end = { status: statusOf(failure, walk), errorCode: failure };
  const finished = await ctx.db.transaction((tx) => finishRepair(tx, repair, end));
  return {
    collection: collection.slug,
    status: finished?.status ?? 'stale',
    ...toSourceCounts(walk.counts),
    lastErrorCode: finished ? failure : 'REPAIR_SUPERSEDED',
    startedAt,
    completedAt: finished?.completedAt ?? null,
  };
}

function toSourceCounts({ indexed, failed, skipped, deleted }: RepairCounts) {
  return {
    indexedSourceCount: indexed,
    failedSourceCount: failed,
    skippedSourceCount: skipped,
    deletedSourceCount: deleted,
  };
}

function statusOf(failure: RepairErrorCode | null, { pages, shapes }: Walk): RepairStatus {
  if (failure === null) return shapes.size > 1 ? 'stale' : 'complete';
  return pages > 0 ? 'partial' : 'failed';
}

/** Stores the collection's shape before the first page: later changes of fields are compared with it. */
async function storeShape(
  ctx: Context,
  content: ContentReferencesClient,
  { collection: { id, slug }, walk }: { collection: contentApi.RegisteredCollection; walk: Walk },
): Promise<void> {
  const page = await withRetry(() => content.references(ctx, { collection: slug, after: null, limit: 1 }));
  if (page.collection.id !== id) throw new RepairFailure('COLLECTION_GONE');
  walk.shapes.add(page.collection.shape);
  await setShape(ctx.db, id, page.collection.shape);
}

/** Subscribes to changes: without tracking, the first one makes the coverage stale. */
async function subscribe(
  ctx: Context,
  content: ContentReferencesClient,
  { id, slug }: contentApi.RegisteredCollection,
): Promise<void> {
  await withRetry(() => content.subscribe(ctx, slug));
  await markSubscribed(ctx.db, id);
}

async function walkCollection(
  ctx: Context,
  content: ContentReferencesClient,
  {
    collection,
    repair,
    walk,
  }: { collection: contentApi.RegisteredCollection; repair: RunningRepair; walk: Walk },
): Promise<void> {
  let after: string | null = null;
  do {
    const query = { collection: collection.slug, after, limit: pageSize };
    const page: contentApi.MediaReferencesPage = await withRetry(() => content.references(ctx, query));
    if (page.collection.id !== collection.id) throw new RepairFailure('COLLECTION_GONE');
    walk.shapes.add(page.collection.shape);
    const counts = await storePage(ctx, { collection, repair, page, after });
    for (const each of Object.keys(counts) as (keyof RepairCounts)[]) walk.counts[each] += counts[each];
    walk.pages += 1;
    after = page.next;
  } while (after !== null);
}

/** Writes a page, and deletes entries of its range that do not exist any more. */
function storePage(
  ctx: Context,
  at: {
    collection: contentApi.RegisteredCollection;
    repair: RunningRepair;
    page: contentApi.MediaReferencesPage;
    after: string | null;
  },
): Promise<RepairCounts> {
  const { collection, repair, page, after } = at;
  const range = { after, upTo: page.next };
  return ctx.db.transaction(async (tx) => {
    if (!(await lockRepair(tx, repair))) throw new RepairFailure('REPAIR_SUPERSEDED');
    const newer = await selectIndexedSince(tx, collection.id, range);
    const known = await selectDigests(tx, collection.id, range);
    const present = new Set(page.entries.map(({ id }) => id));
    const deletedIds = [...known.keys()].filter((id) => !present.has(id) && !newer.has(id));
    const current = page.entries.filter(({ id }) => !newer.has(id));
    const deleted = await deleteIndexedEntries(tx, collection.id, deletedIds);
    await upsertIndexedEntries(tx, collection, current, known);
    const counts = {
      indexed: sourcesOf(current),
      failed: 0,
      skipped: sourcesOf(page.entries) - sourcesOf(current),
      deleted,
    };
    await addCounts(tx, repair, counts);
    return counts;
  });
}

/** Counts sources: one per entry, and another one for its draft overlay. */
function sourcesOf(entries: contentApi.MediaReferencesPage['entries']): number {
  return entries.reduce((sum, { sources }) => sum + (sources.draft_overlay === null ? 1 : 2), 0);
}

/** Calls content, and retries failed calls. @throws RepairFailure */
async function withRetry<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof QuireError && error.code === 'COLLECTION_NOT_FOUND')
        throw new RepairFailure('COLLECTION_GONE', error);
      if (attempt === maxAttemptsPerPage) throw new RepairFailure('CONTENT_UNAVAILABLE', error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
    }
  }
}
