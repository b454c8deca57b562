import { randomUUID } from 'node:crypto';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import type { ContentReferencesClient } from '../content-references.client.js';
import {
  selectCollectionCoverage,
  markOutdated,
  recordIndexed,
  type CoverageRow,
} from '../usage-coverage.repository.js';
import {
  matchesIndex,
  selectDigestsOf,
  upsertIndexedEntries,
  deleteIndexedEntries,
} from '../usage-index.repository.js';
import type { UsageDeps } from '../usage-deps.js';
import {
  enqueueEntry,
  usageWork,
  type EntryAddress,
  type LeasedEntry,
  type WorkErrorCode,
} from '../usage-work.repository.js';

/**
 * `superseded`: another worker holds the lease. `recorded`: changes of the collection are not tracked, which the
 * coverage shows. `failed`: the attempt failed, which the work list shows.
 */
export type IndexOutcome = 'indexed' | 'removed' | 'superseded' | 'recorded' | 'failed';

/** Maximum number of reads of an entry that keeps changing. After them the next worker continues. */
const maxRounds = 50;

/**
 * Indexes the current references of an entry, or removes a deleted entry from the index (document 1, Media 2 and 3). If
 * changes are not tracked, marks the index as outdated instead, unless a running repair will read the change.
 */
export async function indexChangedEntry(
  ctx: Context,
  deps: UsageDeps,
  entry: EntryAddress,
): Promise<IndexOutcome> {
  const coverage = await selectCollectionCoverage(ctx.db, entry.collectionId);
  if (coverage && !coverage.isTracked && !coverage.isRepairAlive) {
    if (!coverage.isOutdated) await markStaleIfChanged(ctx, deps.content, entry, coverage);
    return 'recorded';
  }
  const leased = await enqueueEntry(ctx.db, ctx.principal.tenant, entry, randomUUID());
  return leased ? indexLeasedEntry(ctx, deps, leased) : 'superseded';
}

/**
 * Indexes a leased entry. The state that was read is written only if the lease is valid and the entry has not changed
 * since; otherwise it is read again.
 */
export async function indexLeasedEntry(
  ctx: Context,
  { content, logger }: UsageDeps,
  first: LeasedEntry,
): Promise<IndexOutcome> {
  let leased: LeasedEntry | undefined = first;
  try {
    for (let round = 1; leased && round <= maxRounds; round += 1) {
      const entry = await readEntry(ctx, content, leased);
      if (await store(ctx, leased, entry)) return entry ? 'indexed' : 'removed';
      leased = await usageWork.extend(ctx.db, leased);
    }
    return 'superseded';
  } catch (error) {
    const { collectionSlug: collection, contentId: entryId, tenantId: tenant } = first;
    logger.warn({ tenant, collection, entryId, err: error }, 'media usage indexing rescheduled');
    const isUnavailable = error instanceof QuireError && error.status > 500;
    const code: WorkErrorCode = isUnavailable ? 'CONTENT_UNAVAILABLE' : 'INDEX_FAILED';
    await usageWork.reschedule(ctx.db, leased ?? first, code);
    return 'failed';
  }
}

/** @returns undefined when the entry or its collection is deleted, even if another collection has the slug now */
async function readEntry(
  ctx: Context,
  content: ContentReferencesClient,
  { collectionId, collectionSlug, contentId }: EntryAddress,
): Promise<contentApi.EntryMediaReferences | undefined> {
  try {
    const { collection, entries } = await content.referencesOf(ctx, collectionSlug, contentId);
    return collection.id === collectionId ? entries.find(({ id }) => id === contentId) : undefined;
  } catch (error) {
    if (error instanceof QuireError && error.code === 'COLLECTION_NOT_FOUND') return undefined;
    throw error;
  }
}

/** @returns false when the entry has changed since it was read or the lease is lost: then nothing is written */
function store(
  ctx: Context,
  leased: LeasedEntry,
  entry: contentApi.EntryMediaReferences | undefined,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    if (!(await usageWork.complete(tx, leased))) return false;
    const collection = collectionOf(leased);
    await recordIndexed(tx, collection.id, leased.contentId);
    if (entry) {
      const known = await selectDigestsOf(tx, collection.id, [leased.contentId]);
      await upsertIndexedEntries(tx, collection, [entry], known);
    } else await deleteIndexedEntries(tx, collection.id, [leased.contentId]);
    return true;
  });
}

/** Makes the coverage stale unless the index has the current state of the entry. */
async function markStaleIfChanged(
  ctx: Context,
  content: ContentReferencesClient,
  address: EntryAddress,
  coverage: Pick<CoverageRow, 'collectionId' | 'startedAt'>,
): Promise<void> {
  const entry = await readEntry(ctx, content, address);
  const collection = collectionOf(address);
  if (await matchesIndex(ctx.db, collection, address.contentId, entry)) return;
  await markOutdated(ctx.db, coverage);
}

function collectionOf({ collectionId, collectionSlug }: EntryAddress): contentApi.RegisteredCollection {
  return { id: collectionId, slug: collectionSlug };
}
