import type { Context } from '@quire/context';
import { SearchIndexMissing } from '@quire/search-engine';
import { startBuild, markIndexLost, writeDocuments } from '../indexing/index.js';
import { selectCollection, selectGenerations, type GenerationRow } from '../collections/index.js';
import { undefinedIfNotFound } from '../clients/index.js';
import type { SearchDeps } from '../search-deps.js';

/** A swap of generations during an attempt requires another one. */
const maxAttempts = 3;

/**
 * Indexes entries in the live generation of their collection and in the one being built: their current state is
 * requested and written, or they are removed. An index that the engine has lost is rebuilt with these entries.
 * @returns `ignored` if the collection is not searchable
 * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE
 */
export async function indexEntries(
  ctx: Context,
  deps: SearchDeps,
  collectionId: string,
  ids: readonly string[],
): Promise<'indexed' | 'ignored'> {
  for (let attempt = 1; ; attempt += 1) {
    const row = await selectCollection(ctx.db, collectionId);
    const generations = await selectGenerations(ctx.db, collectionId);
    const used = generations.filter((generation) => isFilled(generation, row?.isLost ?? false));
    if (!row?.enabled || used.length === 0) return 'ignored';
    // Read after the generations: a generation that is started later reads an even later state.
    const response = await undefinedIfNotFound(deps.content.documents(ctx, row.slug, ids));
    if (response?.collection.id !== collectionId) return 'ignored';
    let missing: SearchIndexMissing | undefined;
    for (const generation of used) {
      try {
        await writeDocuments(ctx, deps, collectionId, generation, response);
      } catch (error) {
        if (!(error instanceof SearchIndexMissing)) throw error;
        missing = error;
      }
    }
    if (!missing) return 'indexed';
    if (attempt < maxAttempts) continue;
    const lost = used.find(({ generation }) => generation === missing.generation);
    if (lost?.state === 'live') await markIndexLost(ctx, missing);
    else await startBuild(ctx, deps, collectionId, response.collection, { isForced: true, isDeferred: true });
    return 'indexed';
  }
}

const isFilled = ({ state }: GenerationRow, isLost: boolean) =>
  state === 'building' || (state === 'live' && !isLost);
