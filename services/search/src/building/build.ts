import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { SearchEngineUnavailable, SearchIndexMissing } from '@quire/search-engine';
import {
  advance,
  collectionById,
  generationsOf,
  goLive,
  removeGenerations,
  searchIndex,
  type CollectionRow,
  type GenerationRow,
} from '../collections/index.js';
import { unlessGone } from '../content/index.js';
import type { SearchServices } from '../search-services.js';
import { holdTending } from '../tasks/index.js';
import { beginBuild } from './begin-build.js';
import { writeDocuments } from './write-documents.js';

const pageSize = 100;
/** An engine that loses what it was given again and again is left alone for a while. */
const maximumLosses = 3;
/** An engine with much to do may not take a page in time; it is asked again, so often and after such a while. */
const maximumStumbles = 2;
const stumblePauseMs = 1_000;
/** Less than others leave a build alone that somebody is at. */
const settlePatienceMs = 10_000;

/** `complete`: nothing is being built any more. `unfinished`: time was up. `off`: the collection cannot be searched any more. */
export type BuildEnd = 'complete' | 'unfinished' | 'off';

/**
 * Goes on with what is being built of a collection, step by step, until it is searched or time is up. Any step may die and be taken
 * again, and several processes may take steps of the same build: each step reads the progress and puts what newer versions do
 * not beat, so all that is lost is time.
 * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE
 */
export async function build(
  ctx: Context,
  services: SearchServices,
  collectionId: string,
  { withinMs }: { withinMs: number },
): Promise<BuildEnd> {
  const end = Date.now() + withinMs;
  let losses = 0;
  let stumbles = 0;
  for (;;) {
    const row = await collectionById(ctx.db, collectionId);
    if (!row?.enabled) return 'off';
    const generations = await generationsOf(ctx.db, collectionId);
    const building = generations.find(({ state }) => state === 'building');
    if (!building) return 'complete';
    if (Date.now() > end) return 'unfinished';
    await holdTending(ctx.db, ctx.principal.tenant.id, collectionId);
    const step = await takeStep(ctx, services, row, building).catch(async (error: unknown) => {
      if (!(error instanceof SearchEngineUnavailable) || stumbles >= maximumStumbles) throw error;
      await pause(stumblePauseMs);
      return 'failed' as const;
    });
    stumbles = step === 'failed' ? stumbles + 1 : 0;
    if (step === 'gone') return 'off';
    losses += step === 'lost' ? 1 : 0;
    if (losses > maximumLosses)
      throw new SearchEngineUnavailable(new Error('The engine loses the index that is built'));
  }
}

/** Fills the next page into the index; after the last one waits for the engine, and has the index searched. */
async function takeStep(
  ctx: Context,
  services: SearchServices,
  row: CollectionRow,
  building: GenerationRow,
): Promise<'taken' | 'lost' | 'gone'> {
  const { collectionId, slug } = row;
  const page = await unlessGone(services.content.page(ctx, slug, building.afterId, pageSize));
  if (page?.collection.id !== collectionId) return 'gone';
  if (page.collection.fingerprint !== building.fingerprint) {
    await beginBuild(ctx, services, collectionId, page.collection);
    return 'taken';
  }
  const index = searchIndex(collectionId, building);
  const last = page.documents.at(-1);
  try {
    if (last) {
      await writeDocuments(ctx, services, collectionId, building, page);
      const name = { collectionId, generation: building.generation };
      await advance(ctx.db, name, { from: building.afterId, to: last.id });
      return 'taken';
    }
    const site = services.indexesOf(ctx);
    if (!(await site.settle(index, { patienceMs: settlePatienceMs }))) return 'taken';
    if (!(await site.isIntact(index)) || (await site.hasFailed(index)))
      throw new SearchIndexMissing(collectionId, building.generation);
  } catch (error) {
    if (!(error instanceof SearchIndexMissing)) throw error;
    await beginBuild(ctx, services, collectionId, page.collection, { isAnew: true });
    return 'lost';
  }
  await goLive(ctx.db, collectionId, building.generation);
  return 'taken';
}

/**
 * Drops the generations of a collection that nobody searches or builds any more: all of them, once it cannot be searched. By name, so
 * that one that is begun at the same time stays.
 * @throws SearchEngineUnavailable
 */
export async function dropRetired(
  ctx: Context,
  services: SearchServices,
  collectionId: string,
): Promise<void> {
  const retired = (await generationsOf(ctx.db, collectionId)).filter(({ state }) => state === 'retired');
  for (const { generation } of retired) {
    await services.indexesOf(ctx).drop({ collectionId, generation });
    await removeGenerations(ctx.db, collectionId, [generation]);
  }
}
