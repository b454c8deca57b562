import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { SearchEngineUnavailable, SearchIndexMissing } from '@quire/search-engine';
import {
  updateProgress,
  selectCollection,
  selectGenerations,
  activateGeneration,
  deleteGenerations,
  toSearchIndex,
  type CollectionRow,
  type GenerationRow,
} from '../collections/index.js';
import { undefinedIfNotFound } from '../clients/index.js';
import type { SearchDeps } from '../search-deps.js';
import { extendReconcileLease } from '../tasks/index.js';
import { startBuild } from './start-build.js';
import { writeDocuments } from './write-documents.js';

const pageSize = 100;
/** Lost indexes per call after which the build fails and is retried later. */
const maxLostIndexCount = 3;
/** Retries of a page that a busy engine did not accept in time, and the pause before each. */
const maxTransientFailures = 2;
const transientFailurePauseMs = 1_000;
/** Less than the lease that protects a running build. */
const settleTimeoutMs = 10_000;

/**
 * `complete`: no generation is being built. `incomplete`: time was up. `disabled`: search of the collection is disabled
 * or the collection is deleted.
 */
export type BuildOutcome = 'complete' | 'incomplete' | 'disabled';

/**
 * Continues the build of a collection's index step by step, until the generation is live or the time budget is used.
 * Steps can be repeated, and several processes may take steps of the same build: each step reads the progress, and does
 * not replace newer versions of documents.
 * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE
 */
export async function build(
  ctx: Context,
  deps: SearchDeps,
  collectionId: string,
  { timeBudgetMs }: { timeBudgetMs: number },
): Promise<BuildOutcome> {
  const end = Date.now() + timeBudgetMs;
  let lostIndexCount = 0;
  let transientFailures = 0;
  for (;;) {
    const row = await selectCollection(ctx.db, collectionId);
    if (!row?.enabled) return 'disabled';
    const generations = await selectGenerations(ctx.db, collectionId);
    const building = generations.find(({ state }) => state === 'building');
    if (!building) return 'complete';
    if (Date.now() > end) return 'incomplete';
    await extendReconcileLease(ctx.db, ctx.principal.tenant.id, collectionId);
    const step = await takeStep(ctx, deps, row, building).catch(async (error: unknown) => {
      if (!(error instanceof SearchEngineUnavailable) || transientFailures >= maxTransientFailures)
        throw error;
      await pause(transientFailurePauseMs);
      return 'failed' as const;
    });
    transientFailures = step === 'failed' ? transientFailures + 1 : 0;
    if (step === 'not-found') return 'disabled';
    lostIndexCount += step === 'lost' ? 1 : 0;
    if (lostIndexCount > maxLostIndexCount)
      throw new SearchEngineUnavailable(
        new Error('The search engine repeatedly lost the index under construction'),
      );
  }
}

/** Writes the next page into the index. After the last one, waits for the engine and activates the generation. */
async function takeStep(
  ctx: Context,
  deps: SearchDeps,
  row: CollectionRow,
  building: GenerationRow,
): Promise<'taken' | 'lost' | 'not-found'> {
  const { collectionId, slug } = row;
  const page = await undefinedIfNotFound(deps.content.page(ctx, slug, building.afterId, pageSize));
  if (page?.collection.id !== collectionId) return 'not-found';
  if (page.collection.fingerprint !== building.fingerprint) {
    await startBuild(ctx, deps, collectionId, page.collection);
    return 'taken';
  }
  const index = toSearchIndex(collectionId, building);
  const last = page.documents.at(-1);
  try {
    if (last) {
      await writeDocuments(ctx, deps, collectionId, building, page);
      const name = { collectionId, generation: building.generation };
      await updateProgress(ctx.db, name, { from: building.afterId, to: last.id });
      return 'taken';
    }
    const site = deps.indexesOf(ctx);
    if (!(await site.settle(index, { timeoutMs: settleTimeoutMs }))) return 'taken';
    if (!(await site.isIntact(index)) || (await site.hasFailed(index)))
      throw new SearchIndexMissing(collectionId, building.generation);
  } catch (error) {
    if (!(error instanceof SearchIndexMissing)) throw error;
    await startBuild(ctx, deps, collectionId, page.collection, { isForced: true });
    return 'lost';
  }
  await activateGeneration(ctx.db, collectionId, building.generation);
  return 'taken';
}

/**
 * Deletes the retired generations of a collection: all of them if the collection is not searchable. They are deleted by
 * name, so that a generation that is started concurrently stays.
 * @throws SearchEngineUnavailable
 */
export async function deleteRetired(ctx: Context, deps: SearchDeps, collectionId: string): Promise<void> {
  const retired = (await selectGenerations(ctx.db, collectionId)).filter(({ state }) => state === 'retired');
  for (const { generation } of retired) {
    await deps.indexesOf(ctx).drop({ collectionId, generation });
    await deleteGenerations(ctx.db, collectionId, [generation]);
  }
}
