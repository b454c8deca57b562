import { audit } from '@quire/audit';
import { checkFieldSlug, completeFieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { DatabaseFailure, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { subscribeNewCollection } from '../../../integration/change-subscriptions/index.js';
import { Collection } from '../../collections/collection.entity.js';
import { postgresColumns, upsertField } from '../../fields/field-rules.js';
import { toCollectionResponse, toBaseFieldResponse, type CollectionResponse } from '../../schema.mapper.js';
import { selectFields, type SchemaChanges } from '../../schema-change.js';
import { contentTableName, maxFieldColumns } from '../../tables/content-table.js';
import { adoptTable, inspectOrphan, type Orphan } from '../orphaned-tables.js';
import {
  collectionExists,
  insertCollection,
  toCollectionConflictError,
  assertValidSlug,
} from '../../collections/operations/create-collection.js';

export interface OrphanRegistration {
  label?: string | undefined;
  labelSingular?: string | undefined;
  description?: string | undefined;
}

/**
 * Makes a collection of an orphaned table, its columns becoming fields.
 * @throws QuireError TABLE_NOT_FOUND, COLLECTION_EXISTS, INVALID_SLUG, RESERVED_SLUG, REGISTER_FAILED (the table is not
 * one that a collection can have).
 */
export async function registerOrphanedTable(
  ctx: Context,
  changes: SchemaChanges,
  slug: string,
  registration: OrphanRegistration,
): Promise<CollectionResponse> {
  assertValidSlug(slug);
  try {
    return await changes.run(ctx, async (tx) => {
      if (await tx.repository(Collection).existsBy({ slug })) throw collectionExists(slug);
      const orphan = await inspectOrphan(tx, contentTableName(slug));
      if (!orphan) throw new QuireError('TABLE_NOT_FOUND', `Orphaned table '${slug}' not found`);
      assertRegistrable(orphan);
      const collection = await insertCollection(tx, {
        ...registration,
        slug,
        label: registration.label ?? slug.charAt(0).toUpperCase() + slug.slice(1),
        supports: ['drafts', 'revisions'],
        source: 'discovered',
        routable: true,
        hidden: false,
        editLocking: true,
      });
      for (const [sortOrder, field] of orphan.fields.entries()) {
        const definition = { ...completeFieldDefinition({ ...field, label: field.slug }), sortOrder };
        await upsertField(tx, ulid(), collection.id, definition);
      }
      await adopt(tx, orphan);
      const table = contentTableName(slug);
      await subscribeNewCollection(tx, { tenantId: ctx.principal.tenant.id, id: collection.id, slug, table });
      await audit(ctx, tx, { action: 'orphan.registered', target: { type: 'collection', id: slug } });
      return toCollectionResponse(
        collection,
        (await selectFields(tx, collection.id)).map(toBaseFieldResponse),
      );
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

/**
 * SQLSTATE classes of "these rows do not allow it": data, integrity, dependent objects, values too long for an index.
 */
const refusedForData = /^(22|23|0A|2B|54)/;

async function adopt(tx: Transaction, orphan: Orphan): Promise<void> {
  try {
    await adoptTable(tx, orphan);
  } catch (error) {
    if (!refusedForData.test((error as DatabaseFailure).code ?? '')) throw error;
    throw registerFailed('its rows violate the constraints of entries', error);
  }
}

function registerFailed(reason: string, cause?: unknown): QuireError {
  return new QuireError('REGISTER_FAILED', `The table cannot become a collection: ${reason}`, { cause });
}
