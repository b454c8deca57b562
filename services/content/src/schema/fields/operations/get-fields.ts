import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { Collection } from '../../collections/collection.entity.js';
import { toFieldResponses, type FieldResponse } from '../../block-types/field.mapper.js';
import { selectFields } from '../../schema-change.js';

/** The fields of a collection in display order. @throws QuireError NOT_FOUND. */
export async function listFields(ctx: Context, collectionSlug: string): Promise<FieldResponse[]> {
  return ctx.db.transaction(async (tx) => {
    const collection = await tx.repository(Collection).findOneBy({ slug: collectionSlug });
    if (!collection) throw notFound('collection');
    return toFieldResponses(tx, await selectFields(tx, collection.id));
  });
}

/** One field. @throws QuireError NOT_FOUND. */
export async function getField(
  ctx: Context,
  collectionSlug: string,
  fieldSlug: string,
): Promise<FieldResponse> {
  const field = (await listFields(ctx, collectionSlug)).find(({ slug }) => slug === fieldSlug);
  if (!field) throw notFound('field');
  return field;
}
