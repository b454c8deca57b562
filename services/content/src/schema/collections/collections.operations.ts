import { audit } from '@quire/audit';
import { beginSnapshot } from '@quire/database';
import { checkCollectionSlug, plainTextTypes, type FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { contentApi } from '@quire/internal-api';
import {
  isSubscribed,
  subscribe,
  subscribeNewCollection,
  subscribeToNewCollections,
  unsubscribe,
} from '../../integration/change-subscriptions/index.js';
import { beginDeletion, deleteFieldDeletions } from '../../deletions/index.js';
import { fieldDefinition } from '../definitions/collection-definition.js';
import { deriveDraftTitles } from '../fields/field-data.repository.js';
import { toFieldResponses } from '../fields/field.mapper.js';
import { startCounting } from '../content-changes/content-changes.repository.js';
import { selectAllFields, selectFields, type StoredField } from '../fields/fields.repository.js';
import { deleteRelationWithFields, lockRelations } from '../relations/relations.repository.js';
import type { LockedCollection, SchemaChanges } from '../schema-change.js';
import { contentTableName, createContentTable, hasRows } from '../tables/content-table.repository.js';
import { detachContentTable } from '../tables/detached-table.repository.js';
import { toCollectionResponse, type CollectionResponse } from './collection.mapper.js';
import {
  deleteCollectionRow,
  insertCollection,
  lockCollectionSlugs,
  panelOrder,
  selectCollection,
  selectCollections,
  selectRegisteredCollections,
  toCollectionConflictError,
  updateCollectionOrder,
  updateCollectionRow,
  type StoredCollection,
} from './collections.repository.js';
import type { CollectionInput, CollectionUpdate } from './collections.schemas.js';
import { deleteRowsOfEntries } from './entry-rows.repository.js';

/** A collection with its fields in display order. */
export interface CollectionWithFields {
  collection: StoredCollection;
  fields: FieldDefinition[];
}

/** @returns all collections in the order of the panel (contract 14), or by slug. */
export async function listCollections(
  ctx: Context,
  { order = 'panel' }: { order?: 'panel' | 'slug' } = {},
): Promise<CollectionResponse[]> {
  const collections = await selectCollections(ctx.db, order === 'panel' ? panelOrder : 'slug');
  return collections.map((collection) => toCollectionResponse(collection));
}

/** @returns all collections in the order of the panel with their fields, as of one moment, in two statements. */
export async function listSchema(ctx: Context): Promise<CollectionWithFields[]> {
  return ctx.db.transaction(async (tx) => {
    await beginSnapshot(tx);
    const collections = await selectCollections(tx, panelOrder);
    const fields = new Map(collections.map(({ id }): [string, FieldDefinition[]] => [id, []]));
    for (const field of await selectAllFields(tx))
      fields.get(field.collectionId)?.push(fieldDefinition(field));
    return collections.map((collection) => ({ collection, fields: fields.get(collection.id) ?? [] }));
  });
}

/** @returns one collection, on request with its fields (contract 14). @throws QuireError NOT_FOUND. */
export async function getCollection(
  ctx: Context,
  { slug, includeFields }: { slug: string; includeFields: boolean },
): Promise<CollectionResponse> {
  const collection = await selectCollection(ctx.db, slug);
  if (!collection) throw notFound(`collection '${slug}'`);
  if (!includeFields) return toCollectionResponse(collection);
  return toCollectionResponse(
    collection,
    await toFieldResponses(ctx.db, await selectFields(ctx.db, collection.id)),
  );
}

/**
 * Creates a collection with its table (contract 14).
 * @throws QuireError INVALID_SLUG, RESERVED_SLUG, COLLECTION_EXISTS (also for the name of an orphaned table).
 */
export async function createCollection(
  ctx: Context,
  changes: SchemaChanges,
  input: CollectionInput,
): Promise<CollectionResponse> {
  const { slug } = input;
  assertValidCollectionSlug(slug);
  try {
    return await changes.run(ctx, async (tx) => {
      const collection = await insertCollection(tx, input);
      const table = contentTableName(slug);
      await createContentTable(tx, table);
      await startCounting(tx, table);
      const tenantId = ctx.principal.tenant.id;
      await subscribeNewCollection(tx, { tenantId, id: collection.id, slug, table });
      await audit(ctx, tx, { action: 'collection.created', target: { type: 'collection', id: slug } });
      return toCollectionResponse(collection);
    });
  } catch (error) {
    throw toCollectionConflictError(slug, error);
  }
}

/** @throws QuireError INVALID_SLUG, RESERVED_SLUG. */
export function assertValidCollectionSlug(slug: string): void {
  const problem = checkCollectionSlug(slug);
  if (problem) throw new QuireError(problem.code, `slug: ${problem.message}`);
}

/**
 * Updates the given settings of a collection; null clears an optional one (contract 14). `hasSeo` follows `supports`
 * unless it is given, as in a new collection.
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_TITLE_FIELD, INVALID_DATE_FIELD.
 */
export async function updateCollection(
  ctx: Context,
  changes: SchemaChanges,
  { slug, update }: { slug: string; update: CollectionUpdate },
): Promise<CollectionResponse> {
  return changes.withCollectionLock(ctx, slug, async ({ tx, collection }) => {
    assertValidFieldRoles(update, await selectFields(tx, collection.id));
    const fields = Object.entries(update).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const { supports, hasSeo = supports?.includes('seo') } = update;
    const changed = { ...update, hasSeo };
    const updated = fields.length > 0 ? await updateCollectionRow(tx, collection.id, changed) : collection;
    if (updated && updated.titleField !== collection.titleField)
      await deriveDraftTitles(tx, contentTableName(slug));
    const target = { type: 'collection', id: slug } as const;
    await audit(ctx, tx, { action: 'collection.updated', target, details: { fields } });
    return toCollectionResponse(updated ?? collection);
  });
}

/** @throws QuireError INVALID_TITLE_FIELD, INVALID_DATE_FIELD. */
function assertValidFieldRoles(
  { titleField, dateField }: CollectionUpdate,
  fields: readonly StoredField[],
): void {
  const typeOf = new Map(fields.map(({ slug, type }) => [slug, type]));
  const titleType = typeOf.get(titleField ?? '');
  if (isGiven(titleField) && !(titleType && plainTextTypes.has(titleType))) {
    const message = `titleField: '${titleField}' is not a text field of the collection`;
    throw new QuireError('INVALID_TITLE_FIELD', message);
  }
  if (isGiven(dateField) && typeOf.get(dateField) !== 'datetime') {
    const message = `dateField: '${dateField}' is not a datetime field of the collection`;
    throw new QuireError('INVALID_DATE_FIELD', message);
  }
}

const isGiven = (slug: string | null | undefined): slug is string => slug !== null && slug !== undefined;

/**
 * Deletes a collection with its entries, their revisions, credits, terms, comments and schedules, its relations, and
 * the fields of other collections that view these relations. Trashed entries count as content (contract 14). Rows that
 * are left belong to entries of a detached table, so that a new collection of the slug has none of them.
 * @throws QuireError COLLECTION_NOT_FOUND, COLLECTION_HAS_CONTENT (without `force`).
 */
export async function deleteCollection(
  ctx: Context,
  changes: SchemaChanges,
  { slug, force }: { slug: string; force: boolean },
): Promise<{ success: true; deleted: true }> {
  return changes.withTableLock(ctx, slug, async ({ tx, collection, table }) => {
    if (!force && (await hasRows(tx, table))) {
      throw new QuireError(
        'COLLECTION_HAS_CONTENT',
        `'${slug}' has entries, trashed ones included: force: true deletes them too`,
      );
    }
    const tenantId = ctx.principal.tenant.id;
    for (const relation of await lockRelations(tx, slug))
      await deleteRelationWithFields(tx, tenantId, relation);
    await deleteFieldDeletions(tx, slug);
    await deleteCollectionRow(tx, collection.id);
    await detachContentTable(tx, table, collection.id);
    await beginDeletion(tx, tenantId, { kind: 'collection', id: collection.id }, deleteRowsOfEntries);
    const target = { type: 'collection', id: slug } as const;
    await audit(ctx, tx, { action: 'collection.deleted', target, details: { force } });
    return { success: true, deleted: true };
  });
}

/**
 * Sets the order of collections in the panel; unlisted ones lose their position and follow by slug (contract 14).
 * @throws QuireError COLLECTION_NOT_FOUND, DUPLICATE_SLUG (both with details.slugs).
 */
export async function reorderCollections(
  ctx: Context,
  changes: SchemaChanges,
  slugs: readonly string[],
): Promise<{ success: true }> {
  assertDistinct(slugs);
  return changes.run(ctx, async (tx) => {
    const stored = await lockCollectionSlugs(tx);
    const unknown = slugs.filter((slug) => !stored.includes(slug));
    if (unknown.length > 0) {
      throw new QuireError('COLLECTION_NOT_FOUND', `Collections not found: ${unknown.join(', ')}`, {
        details: { slugs: unknown },
      });
    }
    await updateCollectionOrder(tx, slugs);
    await audit(ctx, tx, { action: 'collection.reordered', target: null });
    return { success: true };
  });
}

/** @throws QuireError DUPLICATE_SLUG with details.slugs. */
export function assertDistinct(slugs: readonly string[]): void {
  const repeated = [...new Set(slugs.filter((slug, index) => slugs.indexOf(slug) !== index))];
  if (repeated.length > 0) {
    throw new QuireError('DUPLICATE_SLUG', `Duplicate slugs: ${repeated.join(', ')}`, {
      details: { slugs: repeated },
    });
  }
}

/** @returns all collections of the site, by slug. */
export function listRegisteredCollections(ctx: Context): Promise<contentApi.RegisteredCollection[]> {
  return selectRegisteredCollections(ctx.db);
}

/**
 * Subscribes a service to the changes of a collection's entries, or unsubscribes it. Waits for running writers of the
 * collection, so that the subscriber receives every later change. Idempotent.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when writers do not finish in time.
 */
export async function updateChangeSubscription(
  ctx: Context,
  changes: SchemaChanges,
  { subscriber, collection: slug, isSubscribed: isWanted, maxWaitMs }: contentApi.ChangeSubscription,
): Promise<void> {
  if (slug === contentApi.newCollections)
    return changes.run(ctx, (tx) => subscribeToNewCollections(tx, subscriber, isWanted));
  // An unchanged subscription needs no lock.
  if ((await isSubscribed(ctx.db, subscriber, slug)) === isWanted) return;
  // Triggers are dropped and created, which would make readers wait behind a weaker lock.
  const change = ({ tx, collection: { id }, table }: LockedCollection) => {
    const subscribed = { tenantId: ctx.principal.tenant.id, id, slug, table };
    return isWanted ? subscribe(tx, subscriber, subscribed) : unsubscribe(tx, subscriber, subscribed);
  };
  await changes.withTableLock(ctx, slug, change, { maxWaitMs, isUpdate: false });
}
