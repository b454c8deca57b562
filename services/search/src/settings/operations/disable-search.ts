import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { deleteRetired } from '../../indexing/index.js';
import { upsertSettings } from '../../collections/index.js';
import type { SearchDeps } from '../../search-deps.js';
import { enqueueTask } from '../../tasks/index.js';
import { syncSubscription } from '../sync-subscription.js';
import type { EnableResponse, EnableRequest } from '../settings.schemas.js';
import { assertWeightsMatchFields } from './enable-search.js';

/**
 * Takes a collection out of the search at once. Its settings stay for the next time (document 1, Search), with those
 * that are sent.
 * @throws QuireError COLLECTION_NOT_FOUND, VALIDATION_ERROR for a weight of a field that cannot be found,
 *   SERVICE_UNAVAILABLE.
 */
export async function disableSearch(
  ctx: Context,
  deps: SearchDeps,
  { collection: slug, weights, tokenize }: Omit<EnableRequest, 'enabled'>,
): Promise<EnableResponse> {
  const collection = await deps.content.collection(ctx, slug);
  assertWeightsMatchFields(weights, collection);
  const { id: collectionId, hidden } = collection;
  const row = await ctx.db.transaction(async (tx) => {
    await enqueueTask(tx, { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' });
    await audit(ctx, tx, { action: 'search.disabled', target: { type: 'collection', id: slug } });
    return upsertSettings(tx, { collectionId, slug, hidden, enabled: false, tokenizer: tokenize, weights });
  });
  await syncSubscription(ctx, deps, row);
  // What the engine keeps, because it is down, goes when the collection is next tended.
  await deleteRetired(ctx, deps, collectionId).catch(() => undefined);
  return { collection: slug, enabled: false };
}
