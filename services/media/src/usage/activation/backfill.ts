import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@quire/context';
import type { contentApi } from '@quire/internal-api';
import { stateOf } from '../coverage-status.js';
import { repairCollection } from '../operations/repair-collection.js';
import { selectCoverage, type CoverageRow } from '../usage-coverage.repository.js';
import type { UsageDeps } from '../usage-deps.js';
import type { AdvancedProgress, Progress } from './activation.schemas.js';

/**
 * State of the index of a collection's earlier content: it is complete, it can be built, it is being built, or the
 * build failed and needs an administrator.
 */
type Readiness = 'ready' | 'open' | 'running' | 'attention';

interface CollectionReadiness {
  collection: contentApi.RegisteredCollection;
  readiness: Readiness;
  /** Whether another build can complete it. */
  isRepairable: boolean;
}

/** Maximum time that a request waits for pending work of the worker. */
const waitTimeoutMs = 5_000;
const pauseMs = 100;

/** Returns how much of the content from before the activation is indexed. */
export async function getBackfillProgress(ctx: Context, deps: UsageDeps): Promise<Progress> {
  return progressOf(await listReadiness(ctx, deps));
}

/**
 * Indexes one collection that is not indexed yet. Waits a short time if the worker is indexing the last ones. If only
 * failed ones are left, retries one of them.
 * @returns the progress, and the time of the next request
 */
export async function advanceBackfill(
  ctx: Context,
  deps: UsageDeps,
): Promise<Pick<AdvancedProgress, 'nextRequestInMs'> & { progress: Progress }> {
  const before = await listReadiness(ctx, deps);
  const next =
    before.find(({ readiness }) => readiness === 'open') ??
    (before.some(({ readiness }) => readiness === 'running')
      ? undefined
      : before.find(({ readiness, isRepairable }) => readiness === 'attention' && isRepairable));
  if (next) await repairCollection(ctx, deps, next.collection);
  else await waitUntilIdle(ctx, deps);
  const after = await listReadiness(ctx, deps);
  const progress = progressOf(after);
  const isOpen = after.some(({ readiness }) => readiness === 'open');
  return { progress, nextRequestInMs: progress.status !== 'indexing' ? null : isOpen ? 0 : 30_000 };
}

async function waitUntilIdle(ctx: Context, deps: UsageDeps): Promise<void> {
  const end = Date.now() + waitTimeoutMs;
  while (Date.now() < end) {
    const current = await listReadiness(ctx, deps);
    if (current.every(({ readiness }) => readiness !== 'running')) return;
    await wait(pauseMs);
  }
}

function progressOf(all: readonly CollectionReadiness[]): Progress {
  const count = (readiness: Readiness) => all.filter((each) => each.readiness === readiness).length;
  const isIndexing = count('open') + count('running') > 0;
  return {
    status: isIndexing ? 'indexing' : count('attention') > 0 ? 'needs_attention' : 'ready',
    readyCollections: count('ready'),
    totalCollections: all.length,
  };
}

async function listReadiness(ctx: Context, { content }: UsageDeps): Promise<CollectionReadiness[]> {
  const collections = await content.collections(ctx);
  const rows = new Map(
    (await selectCoverage(ctx.db, ctx.principal.tenant)).map((row) => [row.collectionId, row]),
  );
  return collections.map((collection) => ({ collection, ...readinessOf(rows.get(collection.id)) }));
}

function readinessOf(row: CoverageRow | undefined): Omit<CollectionReadiness, 'collection'> {
  const state = stateOf(row);
  if (state === 'complete') return { readiness: 'ready', isRepairable: false };
  if (state === 'running') return { readiness: 'running', isRepairable: false };
  if (state === 'never') return { readiness: 'open', isRepairable: true };
  if (state !== 'stale') return { readiness: 'attention', isRepairable: true };
  // Another build does not help an index that lacks only changes that could not be indexed.
  const isBuiltBefore = row?.status === 'complete' && !row.isOutdated;
  return isBuiltBefore
    ? { readiness: 'attention', isRepairable: false }
    : { readiness: 'open', isRepairable: true };
}
