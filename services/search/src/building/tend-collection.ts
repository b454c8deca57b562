import type { Context } from '@quire/context';
import {
  collectionById,
  generationsOf,
  removeCollection,
  switchOff,
  writeHidden,
  writeLost,
} from '../collections/index.js';
import { unlessGone } from '../content/index.js';
import type { SearchServices } from '../search-services.js';
import { addTask } from '../tasks/index.js';
import { beginBuild } from './begin-build.js';
import { build, dropRetired } from './build.js';
import { isSameSpec, wantedSpec } from './index-spec.js';
import { isWhole } from './look-at-index.js';

/** `noted`: all was well. `unfinished`: what is being built takes longer. `off`, `deleted`: nothing is left to tend. */
export type Tending = 'noted' | 'rebuilt' | 'unfinished' | 'off' | 'deleted';

export interface TendOptions {
  withinMs: number;
  /** Whether to look for what went wrong unnoticed: an index that the engine lost, a request that died before its build. */
  looksDeeper: boolean;
}

/**
 * Sees that a collection's index is what it should be: there, whole, made by its present fields and settings; and gone when the
 * collection is, or cannot be searched any more. Whatever was missed or broken off before is made good here.
 * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE
 */
export async function tendCollection(
  ctx: Context,
  services: SearchServices,
  collectionId: string,
  { withinMs, looksDeeper }: TendOptions,
): Promise<Tending> {
  const row = await collectionById(ctx.db, collectionId);
  if (!row) return 'deleted';
  const collection = await unlessGone(services.content.collection(ctx, row.slug));
  if (collection?.id !== collectionId) {
    await forgetCollection(ctx, services, collectionId);
    return 'deleted';
  }
  if (!row.enabled) {
    await dropRetired(ctx, services, collectionId);
    return 'off';
  }
  await writeHidden(ctx.db, collectionId, collection.hidden);
  const generations = await generationsOf(ctx.db, collectionId);
  const live = generations.find(({ state }) => state === 'live');
  const newest = generations.find(({ state }) => state === 'building') ?? live;
  if (!newest) {
    // Whoever enables the search begins the first build, once content tells of changes. Only when that came to nothing it is done
    // here: asking content changes the collection, which leads here again.
    if (!looksDeeper) return 'noted';
    await services.content.follow(ctx, row.slug, true);
  }
  const isAsWanted = newest !== undefined && isSameSpec(newest, wantedSpec(row, collection));
  const isSpoilt =
    isAsWanted &&
    newest === live &&
    (row.isLost || (looksDeeper && !(await isWhole(ctx, services, row, live))));
  if (!isAsWanted || isSpoilt) await beginBuild(ctx, services, collectionId, collection);
  const hasWork = !isAsWanted || isSpoilt || newest !== live;
  const end = await build(ctx, services, collectionId, { withinMs });
  if (end === 'unfinished') return 'unfinished';
  await dropRetired(ctx, services, collectionId);
  return hasWork ? 'rebuilt' : 'noted';
}

/** Has a lost index built anew, soon, and searches wait for it. */
export async function reportLost(
  ctx: Context,
  { collectionId, generation }: { collectionId: string; generation: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await writeLost(tx, collectionId, generation))) return;
    await addTask(tx, { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' });
  });
}

/** Removes everything of a collection that is gone. */
async function forgetCollection(ctx: Context, services: SearchServices, collectionId: string): Promise<void> {
  await switchOff(ctx.db, collectionId);
  await services.indexesOf(ctx).dropCollection(collectionId);
  await removeCollection(ctx.db, collectionId);
}
