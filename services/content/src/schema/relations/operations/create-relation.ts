import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { Collection } from '../../collections/collection.entity.js';
import { collectionNotFound } from '../../definitions/collection-not-found.js';
import type { SchemaChanges } from '../../schema-change.js';
import { toRelationResponse, type RelationResponse } from '../relation.mapper.js';
import { getRelationOrThrow } from '../relation.js';
import type { RelationInput } from '../relations.schemas.js';

/**
 * Makes a relation between two collections, or within one; fields are bound to its ends afterwards (contract 10).
 * @throws QuireError COLLECTION_NOT_FOUND, CONFLICT (the slug is taken).
 */
export async function createRelation(
  ctx: Context,
  changes: SchemaChanges,
  input: RelationInput,
): Promise<RelationResponse> {
  return changes.run(ctx, async (tx) => {
    for (const slug of new Set([input.parentCollection, input.childCollection])) {
      // Held, so that the collection is not deleted while a relation to it is inserted.
      const found = await tx
        .repository(Collection)
        .findOne({ where: { slug }, lock: { mode: 'pessimistic_read' } });
      if (!found) throw collectionNotFound(slug);
    }
    const [created] = await tx.query(
      `INSERT INTO relations (id, slug, parent_collection, child_collection, parent_label, parent_label_singular,
         child_label, child_label_singular, max_children_per_parent, max_parents_per_child, made_by_field)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false) ON CONFLICT (slug) DO NOTHING RETURNING id`,
      [
        ulid(),
        input.slug,
        input.parentCollection,
        input.childCollection,
        input.parentLabel,
        input.parentLabelSingular ?? null,
        input.childLabel,
        input.childLabelSingular ?? null,
        input.maxChildrenPerParent ?? null,
        input.maxParentsPerChild ?? null,
      ],
    );
    if (!created) throw new QuireError('CONFLICT', `Relation '${input.slug}' already exists`);
    const { parentCollection, childCollection } = input;
    await audit(ctx, tx, {
      action: 'relation.created',
      target: { type: 'relation', id: input.slug },
      details: { parentCollection, childCollection },
    });
    return toRelationResponse(tx, await getRelationOrThrow(tx, input.slug));
  });
}
