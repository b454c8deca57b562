import type { Context } from '@quire/context';
import { Collection } from '../collection.entity.js';
import { collectionAnswer, type CollectionAnswer } from '../schema-answer.js';

/** All collections by their order in the panel, those without one last, then by slug. */
export async function listCollections(ctx: Context): Promise<CollectionAnswer[]> {
  const collections = await ctx.db.transaction((tx) =>
    tx
      .repository(Collection)
      .find({ order: { sortOrder: { direction: 'ASC', nulls: 'LAST' }, slug: 'ASC' } }),
  );
  return collections.map((collection) => collectionAnswer(collection));
}
