import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { dropRetired } from '../../building/index.js';
import { writeSettings } from '../../collections/index.js';
import type { SearchServices } from '../../search-services.js';
import { addTask } from '../../tasks/index.js';
import { followAsSet } from '../follow-as-set.js';
import type { EnableAnswer, EnableRequest } from '../settings.schemas.js';
import { requireWeightsOfFields } from './enable-search.js';

/**
 * Takes a collection out of the search at once. Its settings stay for the next time (document 1, Search), with those that are sent.
 * @throws QuireError COLLECTION_NOT_FOUND, VALIDATION_ERROR for a weight of a field that cannot be found, SERVICE_UNAVAILABLE.
 */
export async function disableSearch(
  ctx: Context,
  services: SearchServices,
  { collection: slug, weights, tokenize }: Omit<EnableRequest, 'enabled'>,
): Promise<EnableAnswer> {
  const collection = await services.content.collection(ctx, slug);
  requireWeightsOfFields(weights, collection);
  const { id: collectionId, hidden } = collection;
  const row = await ctx.db.transaction(async (tx) => {
    await addTask(tx, { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' });
    await audit(ctx, tx, { action: 'search.disabled', target: { type: 'collection', id: slug } });
    return writeSettings(tx, { collectionId, slug, hidden, enabled: false, tokenizer: tokenize, weights });
  });
  await followAsSet(ctx, services, row);
  // What the engine keeps, because it is down, goes when the collection is next tended.
  await dropRetired(ctx, services, collectionId).catch(() => undefined);
  return { collection: slug, enabled: false };
}
