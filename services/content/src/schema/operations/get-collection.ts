import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { describeFields } from '../block-types/describe-fields.js';
import { Collection } from '../collection.entity.js';
import { collectionAnswer, type CollectionAnswer } from '../schema-answer.js';
import { fieldsOf } from '../schema-change.js';

/** One collection, with its fields when asked for. @throws QuireError NOT_FOUND. */
export async function getCollection(
  ctx: Context,
  slug: string,
  { includeFields }: { includeFields: boolean },
): Promise<CollectionAnswer> {
  return ctx.db.transaction(async (tx) => {
    const collection = await tx.repository(Collection).findOneBy({ slug });
    if (!collection) throw notFound('collection');
    if (!includeFields) return collectionAnswer(collection);
    return collectionAnswer(collection, await describeFields(tx, await fieldsOf(tx, collection.id)));
  });
}
