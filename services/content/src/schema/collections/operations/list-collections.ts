import type { Context } from '@quire/context';
import { Collection } from '../collection.entity.js';
import { toCollectionResponse, type CollectionResponse } from '../../schema.mapper.js';

/** All collections by their order in the panel, those without one last, then by slug. */
export async function listCollections(ctx: Context): Promise<CollectionResponse[]> {
  const collections = await ctx.db.transaction((tx) =>
    tx
      .repository(Collection)
      .find({ order: { sortOrder: { direction: 'ASC', nulls: 'LAST' }, slug: 'ASC' } }),
  );
  return collections.map((collection) => toCollectionResponse(collection));
}
