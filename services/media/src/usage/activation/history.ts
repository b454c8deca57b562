import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { stateOf } from '../coverage-status.js';
import { repairCollection } from '../operations/repair-collection.js';
import type { RegisteredCollection } from '../referring-content.js';
import { selectCoverage, type CoverageRow } from '../usage-coverage.repository.js';
import type { UsageServices } from '../usage-services.js';
import type { AdvancedProgress, Progress } from './activation.schemas.js';

/**
 * Where the index of a collection's earlier content is: it is there, it can be built, it is being built, or it could not be and
 * somebody should see why.
 */
type Readiness = 'ready' | 'open' | 'running' | 'attention';

interface Standing {
  collection: RegisteredCollection;
  readiness: Readiness;
  /** Whether building it again may help. */
  isRepairable: boolean;
}

/** How long a request waits for what the worker is about to finish. */
const patienceMs = 5_000;
const pauseMs = 100;

/** How much of what was written before changes were tracked is in the index. */
export async function historyProgress(ctx: Context, services: UsageServices): Promise<Progress> {
  return progressOf(await standings(ctx, services));
}

/**
 * Indexes one collection that is not indexed yet; waits a little where the worker is at the last ones already; and where nothing but
 * failures is left, tries one of them again.
 * @returns how far it is, and when to ask again
 */
export async function advanceHistory(
  ctx: Context,
  services: UsageServices,
): Promise<Pick<AdvancedProgress, 'nextRequestInMs'> & { progress: Progress }> {
  const before = await standings(ctx, services);
  const next =
    before.find(({ readiness }) => readiness === 'open') ??
    (before.some(({ readiness }) => readiness === 'running')
      ? undefined
      : before.find(({ readiness, isRepairable }) => readiness === 'attention' && isRepairable));
  if (next) await repairCollection(ctx, services, next.collection);
  else await untilNoneRuns(ctx, services);
  const after = await standings(ctx, services);
  const progress = progressOf(after);
  const isOpen = after.some(({ readiness }) => readiness === 'open');
  return { progress, nextRequestInMs: progress.status !== 'indexing' ? null : isOpen ? 0 : 30_000 };
}

async function untilNoneRuns(ctx: Context, services: UsageServices): Promise<void> {
  const end = Date.now() + patienceMs;
  while (Date.now() < end) {
    const current = await standings(ctx, services);
    if (current.every(({ readiness }) => readiness !== 'running')) return;
    await wait(pauseMs);
  }
}

function progressOf(all: readonly Standing[]): Progress {
  const count = (readiness: Readiness) => all.filter((each) => each.readiness === readiness).length;
  const isIndexing = count('open') + count('running') > 0;
  return {
    status: isIndexing ? 'indexing' : count('attention') > 0 ? 'needs_attention' : 'ready',
    readyCollections: count('ready'),
    totalCollections: all.length,
  };
}

async function standings(ctx: Context, { content }: UsageServices): Promise<Standing[]> {
  const collections = await content.collections(ctx);
  const rows = new Map(
    (await selectCoverage(ctx.db, ctx.principal.tenant)).map((row) => [row.collectionId, row]),
  );
  return collections.map((collection) => ({ collection, ...standingOf(rows.get(collection.id)) }));
}

function standingOf(row: CoverageRow | undefined): Omit<Standing, 'collection'> {
  const state = stateOf(row);
  if (state === 'complete') return { readiness: 'ready', isRepairable: false };
  if (state === 'running') return { readiness: 'running', isRepairable: false };
  if (state === 'never') return { readiness: 'open', isRepairable: true };
  if (state !== 'stale') return { readiness: 'attention', isRepairable: true };
  // A built index that is behind only by changes which cannot be indexed is no better for being built again.
  const isBuiltBefore = row?.status === 'complete' && !row.isOutdated;
  return isBuiltBefore
    ? { readiness: 'attention', isRepairable: false }
    : { readiness: 'open', isRepairable: true };
}
