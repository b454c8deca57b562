import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { startBuild } from '../../indexing/index.js';
import { selectCollection } from '../../collections/index.js';
import type { SearchDeps } from '../../search-deps.js';
import { buildInRequest } from '../build-in-request.js';
import { noSearchableFieldsError, searchNotEnabledError } from '../settings-errors.js';
import type { RebuildResponse } from '../settings.schemas.js';

/**
 * Builds a collection's index anew by its stored settings (document 1, Search), beside the one that is searched
 * meanwhile. Two who ask at once work on the same one.
 * @throws QuireError COLLECTION_NOT_FOUND, SEARCH_NOT_ENABLED, NO_SEARCHABLE_FIELDS, SERVICE_UNAVAILABLE: the worker
 *   goes on then.
 */
export async function rebuildSearchIndex(
  ctx: Context,
  deps: SearchDeps,
  slug: string,
): Promise<RebuildResponse> {
  const collection = await deps.content.collection(ctx, slug);
  const row = await selectCollection(ctx.db, collection.id);
  if (!row?.enabled) throw searchNotEnabledError(slug);
  if (collection.fields.length === 0) throw noSearchableFieldsError(slug);
  await audit(ctx, ctx.db, { action: 'search.rebuild-started', target: { type: 'collection', id: slug } });
  await startBuild(ctx, deps, row.collectionId, collection);
  return { collection: slug, indexed: await buildInRequest(ctx, deps, row.collectionId) };
}
