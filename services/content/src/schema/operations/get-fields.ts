import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { Collection } from '../collection.entity.js';
import { describeFields, type DescribedField } from '../block-types/describe-fields.js';
import { fieldsOf } from '../schema-change.js';

/** The fields of a collection in display order. @throws QuireError NOT_FOUND. */
export async function listFields(ctx: Context, collectionSlug: string): Promise<DescribedField[]> {
  return ctx.db.transaction(async (tx) => {
    const collection = await tx.repository(Collection).findOneBy({ slug: collectionSlug });
    if (!collection) throw notFound('collection');
    return describeFields(tx, await fieldsOf(tx, collection.id));
  });
}

/** One field. @throws QuireError NOT_FOUND. */
export async function getField(
  ctx: Context,
  collectionSlug: string,
  fieldSlug: string,
): Promise<DescribedField> {
  const field = (await listFields(ctx, collectionSlug)).find(({ slug }) => slug === fieldSlug);
  if (!field) throw notFound('field');
  return field;
}
