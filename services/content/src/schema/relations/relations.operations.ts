import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { selectCollection } from '../collections/collections.repository.js';
import { collectionNotFound } from '../definitions/collection-definition.js';
import type { SchemaChanges } from '../schema-change.js';
import {
  countLinks,
  countLinksAbove,
  deleteRelationWithFields,
  getRelationOrThrow,
  hasLinks,
  insertRelation,
  selectBoundFields,
  selectFieldsOfRelations,
  selectRelations,
  updateRelationRow,
  type RelationField,
  type StoredRelation,
} from './relations.repository.js';
import type { RelationInput, RelationUpdate } from './relations.schemas.js';

/** A relation in responses, with its use. `name` is the slug, for older clients (contract 10). */
export type RelationResponse = Omit<StoredRelation, 'madeByField'> & {
  name: string;
  boundFields: RelationField[];
  linkCount: number;
};

/** @returns all relations by slug, or those of one collection (contract 10). */
export async function listRelations(
  ctx: Context,
  { collection }: { collection?: string | undefined },
): Promise<{ relations: RelationResponse[] }> {
  const relations = await selectRelations(ctx.db, collection);
  return { relations: await toRelationResponses(ctx.db, relations) };
}

/** @param slugOrId of the relation (contract 10). @throws QuireError NOT_FOUND. */
export async function getRelation(ctx: Context, slugOrId: string): Promise<{ relation: RelationResponse }> {
  return { relation: await toRelationResponse(ctx.db, await getRelationOrThrow(ctx.db, slugOrId)) };
}

/**
 * Creates a relation between two collections, or within one; fields are bound to its ends later (contract 10).
 * @throws QuireError COLLECTION_NOT_FOUND, CONFLICT (the slug is taken).
 */
export async function createRelation(
  ctx: Context,
  changes: SchemaChanges,
  input: RelationInput,
): Promise<{ relation: RelationResponse }> {
  const { slug, parentCollection, childCollection } = input;
  return changes.run(ctx, async (tx) => {
    // Locked, so that neither collection is deleted before the relation is inserted.
    for (const collection of new Set([parentCollection, childCollection]))
      if (!(await selectCollection(tx, collection, { lock: 'FOR SHARE' })))
        throw collectionNotFound(collection);
    const relation = await insertRelation(tx, { ...input, madeByField: false });
    if (!relation) throw new QuireError('CONFLICT', `Relation '${slug}' already exists`);
    await audit(ctx, tx, {
      action: 'relation.created',
      target: { type: 'relation', id: slug },
      details: { parentCollection, childCollection },
    });
    return { relation: await toRelationResponse(tx, relation) };
  });
}

/**
 * Updates the given labels and limits of a relation (contract 10).
 * @param input.id of the relation, or its slug
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (stored links exceed a limit).
 */
export async function updateRelation(
  ctx: Context,
  changes: SchemaChanges,
  { id, update }: { id: string; update: RelationUpdate },
): Promise<{ relation: RelationResponse }> {
  return changes.run(ctx, async (tx) => {
    const before = await getRelationOrThrow(tx, id, { withRowLock: true });
    const given = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
    const after: StoredRelation = { ...before, ...given };
    await assertLimitNotExceeded(tx, after, 'maxChildrenPerParent', 'parent_group');
    await assertLimitNotExceeded(tx, after, 'maxParentsPerChild', 'child_group');
    await updateRelationRow(tx, after.slug, given);
    const target = { type: 'relation', id: after.slug } as const;
    await audit(ctx, tx, { action: 'relation.updated', target, details: { fields: Object.keys(given) } });
    return { relation: await toRelationResponse(tx, after) };
  });
}

/**
 * Deletes a relation with its links. A relation in use needs `force`, which deletes the fields that view it (contract
 * 10).
 * @param input.id of the relation, or its slug
 * @throws QuireError NOT_FOUND, CONFLICT (in use).
 */
export async function deleteRelation(
  ctx: Context,
  changes: SchemaChanges,
  { id, force }: { id: string; force: boolean },
): Promise<{ deleted: true }> {
  return changes.run(ctx, async (tx) => {
    const relation = await getRelationOrThrow(tx, id, { withRowLock: true });
    const fields = await selectBoundFields(tx, relation.slug);
    if (!force && (fields.length > 0 || (await hasLinks(tx, relation.id)))) {
      throw new QuireError(
        'CONFLICT',
        `'${relation.slug}' is in use: send force=true to delete its fields and links too`,
      );
    }
    await deleteRelationWithFields(tx, ctx.principal.tenant.id, relation);
    const target = { type: 'relation', id: relation.slug } as const;
    await audit(ctx, tx, { action: 'relation.deleted', target, details: { force } });
    return { deleted: true };
  });
}

async function assertLimitNotExceeded(
  tx: Transaction,
  relation: StoredRelation,
  limit: 'maxChildrenPerParent' | 'maxParentsPerChild',
  end: 'parent_group' | 'child_group',
): Promise<void> {
  const max = relation[limit];
  if (max === null) return;
  const count = await countLinksAbove(tx, { relationId: relation.id, end, max });
  if (count !== undefined)
    throw invalidInput([{ path: limit, message: `an entry has ${count} links already` }]);
}

async function toRelationResponse(sql: Queryable, relation: StoredRelation): Promise<RelationResponse> {
  const [response] = await toRelationResponses(sql, [relation]);
  if (!response) throw new Error('A relation has no response');
  return response;
}

async function toRelationResponses(
  sql: Queryable,
  relations: readonly StoredRelation[],
): Promise<RelationResponse[]> {
  const fields = await selectFieldsOfRelations(
    sql,
    relations.map(({ slug }) => slug),
  );
  const counts = await countLinks(
    sql,
    relations.map(({ id }) => id),
  );
  return relations.map(({ madeByField: _internal, ...relation }) => ({
    ...relation,
    name: relation.slug,
    boundFields: fields.get(relation.slug) ?? [],
    linkCount: counts.get(relation.id) ?? 0,
  }));
}
