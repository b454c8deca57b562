import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import type { ContentReferencesClient } from '../content-references.client.js';
import { selectCollectionCoverage, markOutdated, trackCollection } from '../usage-coverage.repository.js';
import { usageRebuilds } from '../usage-rebuilds.repository.js';
import type { UsageDeps } from '../usage-deps.js';

/**
 * Handles a change of a collection's settings or fields. The index of a new collection is built; its changes are
 * subscribed since its creation. If the fields now have other references, the index is rebuilt, or becomes stale if
 * changes are not tracked.
 */
export async function syncCollection(
  ctx: Context,
  { content }: UsageDeps,
  collection: contentApi.RegisteredCollection,
): Promise<'recorded'> {
  const shape = await currentShape(ctx, content, collection);
  if (shape === undefined) return 'recorded';
  await ctx.db.transaction(async (tx) => {
    const coverage = await selectCollectionCoverage(tx, collection.id);
    if (coverage && (coverage.shape === null || coverage.shape === shape)) return;
    if (coverage) await markOutdated(tx, coverage);
    else await trackCollection(tx, collection);
    if (coverage && !coverage.isTracked) return;
    const { id: collectionId, slug: collectionSlug } = collection;
    await usageRebuilds.enqueue(tx, [{ tenantId: ctx.principal.tenant.id, collectionId, collectionSlug }]);
  });
  return 'recorded';
}

/** @returns undefined for a deleted collection, which has another message */
async function currentShape(
  ctx: Context,
  content: ContentReferencesClient,
  { id, slug }: contentApi.RegisteredCollection,
): Promise<string | undefined> {
  try {
    const page = await content.references(ctx, { collection: slug, after: null, limit: 1 });
    return page.collection.id === id ? page.collection.shape : undefined;
  } catch (error) {
    if (error instanceof QuireError && error.code === 'COLLECTION_NOT_FOUND') return undefined;
    throw error;
  }
}
