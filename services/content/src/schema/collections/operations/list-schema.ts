import type { FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import { Collection } from '../collection.entity.js';
import { fieldDefinition } from '../../definitions/collection-definition.js';
import { Field } from '../../fields/field.entity.js';

/** A collection with its fields in display order. */
export interface CollectionWithFields {
  collection: Collection;
  fields: FieldDefinition[];
}

/**
 * All collections of one moment with their fields, in two statements: by their order in the panel, those
 * without one last, then by slug.
 */
export async function listSchema(ctx: Context): Promise<CollectionWithFields[]> {
  return ctx.db.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const collections = await tx
      .repository(Collection)
      .find({ order: { sortOrder: { direction: 'ASC', nulls: 'LAST' }, slug: 'ASC' } });
    const stored = await tx.repository(Field).find({ order: { sortOrder: 'ASC', slug: 'ASC' } });
    const fields = new Map(collections.map(({ id }): [string, FieldDefinition[]] => [id, []]));
    for (const field of stored) fields.get(field.collectionId)?.push(fieldDefinition(field));
    return collections.map((collection) => ({ collection, fields: fields.get(collection.id) ?? [] }));
  });
}
