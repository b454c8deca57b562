import { audit } from '@quire/audit';
import {
  checkFieldSlug,
  completeFieldDefinition,
  maxFieldColumns,
  postgresColumns,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import type { DatabaseFailure, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { subscribeNewCollection } from '../../integration/change-subscriptions/index.js';
import { toCollectionResponse, type CollectionResponse } from '../collections/collection.mapper.js';
import { assertValidCollectionSlug } from '../collections/collections.operations.js';
import {
  collectionExistsError,
  insertCollection,
  selectCollection,
  toCollectionConflictError,
} from '../collections/collections.repository.js';
import { toBaseFieldResponse, type FieldResponse } from '../fields/field.mapper.js';
import { insertField } from '../fields/fields.repository.js';
import type { SchemaChanges } from '../schema-change.js';
import { contentTableName } from '../tables/content-table.repository.js';
import {
  adoptTable,
  inspectOrphan,
  selectOrphans,
  type Orphan,
  type OrphanedTable,
} from './orphaned-tables.repository.js';

export interface OrphanRegistration {
  slug: string;
  /** The capitalised slug unless given. */
  label?: string | undefined;
  labelSingular?: string | undefined;
  description?: string | undefined;
}

/** @returns the content tables without a collection (contract 14, Orphaned tables). */
export async function listOrphanedTables(ctx: Context): Promise<{ items: OrphanedTable[] }> {
  return { items: await selectOrphans(ctx.db) };
}

/**
 * Creates a collection for an orphaned table; its columns become fields (contract 14, Orphaned tables).
 * @throws QuireError TABLE_NOT_FOUND, COLLECTION_EXISTS, INVALID_SLUG, RESERVED_SLUG, REGISTER_FAILED (the table cannot
 *   hold entries).
 */
export async function registerOrphanedTable(
  ctx: Context,
  changes: SchemaChanges,
  registration: OrphanRegistration,
): Promise<{ item: CollectionResponse }> {
  const { slug } = registration;
  assertValidCollectionSlug(slug);
  try {
    return await changes.run(ctx, async (tx) => {
      if (await selectCollection(tx, slug)) throw collectionExistsError(slug);
      const table = contentTableName(slug);
      const orphan = await inspectOrphan(tx, table);
      if (!orphan) throw new QuireError('TABLE_NOT_FOUND', `Orphaned table '${slug}' not found`);
      assertRegistrable(orphan);
      const collection = await insertCollection(tx, {
        ...registration,
        label: registration.label ?? slug.charAt(0).toUpperCase() + slug.slice(1),
        supports: ['drafts', 'revisions'],
        source: 'discovered',
        routable: true,
        hidden: false,
        editLocking: true,
      });
      const fields: FieldResponse[] = [];
      for (const [sortOrder, field] of orphan.fields.entries()) {
        const definition = { ...completeFieldDefinition({ ...field, label: field.slug }), sortOrder };
        fields.push(toBaseFieldResponse(await insertField(tx, collection.id, definition)));
      }
      await adopt(tx, orphan);
      await subscribeNewCollection(tx, { tenantId: ctx.principal.tenant.id, id: collection.id, slug, table });
      await audit(ctx, tx, { action: 'orphan.registered', target: { type: 'collection', id: slug } });
      return { item: toCollectionResponse(collection, fields) };
    });
  } catch (error) {
    throw toCollectionConflictError(slug, error);
  }
}

function assertRegistrable({ missing, mistyped, key, fields, unusable }: Orphan): void {
  const badNames = fields
    .filter(({ slug }) => checkFieldSlug(slug) !== null || postgresColumns.has(slug))
    .map(({ slug }) => slug);
  const hasOtherKey = key.length > 0 && key.join() !== 'id';
  const reasons = [
    missing.length > 0 ? `it lacks the columns ${missing.join(', ')}` : '',
    mistyped.length > 0 ? `entries need other types of ${mistyped.join(', ')}` : '',
    hasOtherKey ? `its primary key is ${key.join(', ')} instead of id` : '',
    unusable.length > 0 ? `no field can have a column such as ${unusable.join(', ')}` : '',
    fields.length > maxFieldColumns ? `a collection takes at most ${maxFieldColumns} fields` : '',
    badNames.length > 0 ? `no field can be called ${badNames.join(', ')}` : '',
  ].filter(Boolean);
  if (reasons.length > 0) throw registerFailed(reasons.join('; '));
}

/** SQLSTATE classes of errors that rows cause: data, integrity, dependent objects, values too long for an index. */
const causedByData = /^(22|23|0A|2B|54)/;

async function adopt(tx: Transaction, orphan: Orphan): Promise<void> {
  try {
    await adoptTable(tx, orphan);
  } catch (error) {
    if (!causedByData.test((error as DatabaseFailure).code ?? '')) throw error;
    throw registerFailed('its rows violate the constraints of entries', error);
  }
}

function registerFailed(reason: string, cause?: unknown): QuireError {
  return new QuireError('REGISTER_FAILED', `The table cannot become a collection: ${reason}`, { cause });
}
