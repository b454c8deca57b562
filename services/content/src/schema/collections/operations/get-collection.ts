import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { toFieldResponses } from '../../block-types/field.mapper.js';
import { Collection } from '../collection.entity.js';
import { toCollectionResponse, type CollectionResponse } from '../../schema.mapper.js';
import { selectFields } from '../../schema-change.js';

/** One collection, with its fields when asked for. @throws QuireError NOT_FOUND. */
export async function getCollection(
  ctx: Context,
  slug: string,
  { includeFields }: { includeFields: boolean },
): Promise<CollectionResponse> {
  return ctx.db.transaction(async (tx) => {
    const collection = await tx.repository(Collection).findOneBy({ slug });
    if (!collection) throw notFound('collection');
    if (!includeFields) return toCollectionResponse(collection);
    return toCollectionResponse(
      collection,
      await toFieldResponses(tx, await selectFields(tx, collection.id)),
    );
  });
}
