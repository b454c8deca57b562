import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { beginBuild } from '../../building/index.js';
import { collectionById } from '../../collections/index.js';
import type { SearchServices } from '../../search-services.js';
import { buildNow } from '../build-now.js';
import { noSearchableFields, searchNotEnabled } from '../settings-errors.js';
import type { RebuildAnswer } from '../settings.schemas.js';

/**
 * Builds a collection's index anew by its stored settings (document 1, Search), beside the one that is searched meanwhile. Two who
 * ask at once work on the same one.
 * @throws QuireError COLLECTION_NOT_FOUND, SEARCH_NOT_ENABLED, NO_SEARCHABLE_FIELDS, SERVICE_UNAVAILABLE: the worker goes on then.
 */
export async function rebuildIndex(
  ctx: Context,
  services: SearchServices,
  slug: string,
): Promise<RebuildAnswer> {
  const collection = await services.content.collection(ctx, slug);
  const row = await collectionById(ctx.db, collection.id);
  if (!row?.enabled) throw searchNotEnabled(slug);
  if (collection.fields.length === 0) throw noSearchableFields(slug);
  await audit(ctx, ctx.db, { action: 'search.rebuild-started', target: { type: 'collection', id: slug } });
  await beginBuild(ctx, services, row.collectionId, collection);
  return { collection: slug, indexed: await buildNow(ctx, services, row.collectionId) };
}
