import { audit } from '@quire/audit';
import { checkCollectionSlug } from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { subscribeNewCollection } from '../../../integration/change-subscriptions/index.js';
import { Collection } from '../collection.entity.js';
import { toCollectionResponse, type CollectionResponse } from '../../schema.mapper.js';
import type { SchemaChanges } from '../../schema-change.js';
import type { CollectionInput } from '../../schema.schemas.js';
import { contentTableName, createContentTable } from '../../tables/content-table.js';

/**
 * Makes a collection with its table (contract 14).
 * @throws QuireError INVALID_SLUG, RESERVED_SLUG, COLLECTION_EXISTS (also when an orphaned table has the name).
 */
export async function createCollection(
  ctx: Context,
  changes: SchemaChanges,
  input: CollectionInput,
): Promise<CollectionResponse> {
  assertValidSlug(input.slug);
  try {
    return await changes.run(ctx, async (tx) => {
      const collection = await insertCollection(tx, input);
      const table = contentTableName(input.slug);
      await createContentTable(tx, table);
      await subscribeNewCollection(tx, {
        tenantId: ctx.principal.tenant.id,
        id: collection.id,
        slug: input.slug,
        table,
      });
      await audit(ctx, tx, {
        action: 'collection.created',
        target: { type: 'collection', id: input.slug },
      });
      return toCollectionResponse(collection);
    });
  } catch (error) {
    throw toCollectionConflictError(input.slug, error);
  }
}

/** @throws QuireError INVALID_SLUG, RESERVED_SLUG. */
export function assertValidSlug(slug: string): void {
  const problem = checkCollectionSlug(slug);
  if (problem) throw new QuireError(problem.code, `slug: ${problem.message}`);
}

/** Stores the settings of a new collection. */
export async function insertCollection(tx: Transaction, input: CollectionInput): Promise<Collection> {
  const id = ulid();
  const collections = tx.repository(Collection);
  await collections.insert({
    id,
    slug: input.slug,
    label: input.label,
    labelSingular: input.labelSingular ?? null,
    description: input.description ?? null,
    icon: input.icon ?? null,
    admin: input.admin ?? null,
    supports: input.supports,
    source: input.source,
    urlPattern: input.urlPattern ?? null,
    routable: input.routable,
    hasSeo: input.hasSeo ?? input.supports.includes('seo'),
    hidden: input.hidden,
    sortOrder: input.sortOrder ?? null,
    titleField: null,
    dateField: null,
    editLocking: input.editLocking,
    group: input.group ?? null,
  });
  return collections.findOneByOrFail({ id });
}

/** A taken slug or table name in the words of the API. */
export function toCollectionConflictError(slug: string, error: unknown): unknown {
  if (hasSqlState(error, sqlState.duplicateTable)) {
    const message = `An orphaned table '${slug}' exists: register it with POST /schema/orphans/${slug}, or remove it`;
    return new QuireError('COLLECTION_EXISTS', message, { cause: error });
  }
  if (!hasSqlState(error, sqlState.uniqueViolation) || error.constraint !== 'collections_slug') return error;
  return collectionExists(slug, error);
}

export function collectionExists(slug: string, cause?: unknown): QuireError {
  return new QuireError('COLLECTION_EXISTS', `Collection '${slug}' already exists`, { cause });
}
