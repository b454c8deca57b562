import type { Context } from '@quire/context';
import {
  toSearchIndex,
  setMismatch,
  setIndexLost,
  type CollectionRow,
  type GenerationRow,
} from '../collections/index.js';
import type { SearchDeps } from '../search-deps.js';
import { hasEntriesToIndex } from '../tasks/index.js';

/** Time for the engine to process pending writes. Counts of an engine that takes longer are not compared. */
const settleTimeoutMs = 2_000;

/**
 * `inconsistent`: the index has to be rebuilt. `unconfirmed`: the index has pending changes, or differs for the first
 * time; a later check decides.
 */
export type IndexHealth = 'consistent' | 'unconfirmed' | 'inconsistent';

/**
 * Compares the live index with content. A lost index blocks searches; an index with some outdated entries stays live.
 * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE
 */
export async function checkIndexHealth(
  ctx: Context,
  deps: SearchDeps,
  row: CollectionRow,
  live: GenerationRow,
): Promise<IndexHealth> {
  const site = deps.indexesOf(ctx);
  const index = toSearchIndex(row.collectionId, live);
  if (!(await site.isIntact(index))) {
    await setIndexLost(ctx.db, row.collectionId, live.generation);
    return 'inconsistent';
  }
  if (await site.hasFailed(index)) return 'inconsistent';
  // Pending entries are not a difference.
  if (await hasEntriesToIndex(ctx.db, ctx.principal.tenant.id, row.collectionId)) return 'unconfirmed';
  if (!(await site.settle(index, { timeoutMs: settleTimeoutMs }))) return 'unconfirmed';
  const { published, all } = await deps.content.count(ctx, row.slug);
  const indexed = { published: await site.count(index, 'published'), all: await site.count(index, 'all') };
  const isComplete = indexed.published === published && indexed.all === all;
  const difference = isComplete
    ? null
    : `${indexed.published} of ${published} published, ${indexed.all} of ${all}`;
  // Concurrent changes cause a temporary difference. Only a difference that two checks find is an error.
  if (difference === null || difference !== row.difference) {
    await setMismatch(ctx.db, row.collectionId, difference);
    return difference === null ? 'consistent' : 'unconfirmed';
  }
  if (indexed.all === 0) await setIndexLost(ctx.db, row.collectionId, live.generation);
  return 'inconsistent';
}
