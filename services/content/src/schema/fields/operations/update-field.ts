import { audit } from '@quire/audit';
import {
  checkFieldChange,
  completeFieldDefinition,
  isRelationField,
  plainTextTypes,
  type FieldDefinition,
  type FieldType,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState } from '@quire/database';
import { QuireError } from '@quire/errors';
import { resolveAllowedBlockTypes } from '../../block-types/blocks-field-rules.js';
import { fieldDefinition } from '../../definitions/collection-definition.js';
import { bindReferenceField } from '../../relations/bind-reference-field.js';
import { isConversion, plainSettings, updateRelationField } from '../../relations/update-relation-field.js';
import type { LockedCollection, SchemaChanges } from '../../schema-change.js';
import {
  createFieldIndex,
  createUniqueIndex,
  dropFieldIndex,
  dropUniqueIndex,
  hasRows,
} from '../../tables/content-table.repository.js';
import { assertValidFieldDefinition, throwFirstProblem } from '../field-rules.js';
import { toFieldResponse, type FieldResponse } from '../field.mapper.js';
import type { FieldSlugs } from '../deleted-field.js';
import { hasViolation, selectFields, updateFieldRow } from '../fields.repository.js';
import type { FieldUpdate } from '../fields.schemas.js';

/**
 * Updates the given properties of a field. A stricter rule is accepted if all stored entries satisfy it (contract 14).
 * @throws QuireError COLLECTION_NOT_FOUND, FIELD_NOT_FOUND, FIELD_TYPE_COLUMN_CHANGE,
 *   FIELD_TYPE_CHANGE_REQUIRES_MIGRATION, FIELD_UPDATE_REQUIRES_MIGRATION, FIELD_NOT_INDEXABLE, INVALID_TITLE_FIELD,
 *   INVALID_DATE_FIELD, VALIDATION_ERROR.
 */
export async function updateField(
  ctx: Context,
  changes: SchemaChanges,
  { collection, field, update }: FieldSlugs & { update: FieldUpdate },
): Promise<FieldResponse> {
  const isBinding = update.validation?.['targetCollection'] ?? update.validation?.['relation'];
  const change = (locked: LockedCollection) => updateLockedField(ctx, locked, { field, update });
  // Binding a field to a relation drops its column, which needs a lock against readers too.
  return isBinding
    ? changes.withTableLock(ctx, collection, change)
    : changes.withCollectionLock(ctx, collection, change);
}

async function updateLockedField(
  ctx: Context,
  locked: LockedCollection,
  { field: fieldSlug, update }: { field: string; update: FieldUpdate },
): Promise<FieldResponse> {
  const { tx, collection } = locked;
  const stored = (await selectFields(tx, collection.id)).find(({ slug }) => slug === fieldSlug);
  if (!stored) throw new QuireError('FIELD_NOT_FOUND', `'${collection.slug}' has no field '${fieldSlug}'`);
  const before = fieldDefinition(stored);
  const given = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
  const isConverted = isConversion(before, given);
  const merged: FieldDefinition = { ...before, ...given, ...(isConverted ? plainSettings : {}) };
  assertRolesKept(locked, before, merged.type);
  assertTypeChangeAllowed(before, merged.type);
  assertValidFieldDefinition(withoutUnset(merged), { isStored: true });
  const completed = await resolveAllowedBlockTypes(tx, completeFieldDefinition(withoutUnset(merged)), before);
  const after = isRelationField(before) ? completed : await bindReferenceField(tx, collection, completed);
  if (isRelationField(after)) await updateRelationField(locked, before, after);
  else {
    await assertStoredDataValid(locked, before, after);
    await updateIndexes(locked, before, after);
  }
  const field = await updateFieldRow(tx, stored.id, after);
  await audit(ctx, tx, {
    action: isConverted ? 'field.converted' : 'field.updated',
    target: { type: 'field', id: fieldSlug },
    details: { collection: collection.slug, fields: Object.keys(given) },
  });
  return toFieldResponse(tx, field);
}

/** The content model expects unset optional properties to be absent, not null. */
function withoutUnset(field: object): object {
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null));
}

/** The title field of a collection must stay a text, its date field a datetime. */
function assertRolesKept({ collection }: LockedCollection, { slug }: FieldDefinition, type: FieldType): void {
  if (collection.titleField === slug && !plainTextTypes.has(type)) {
    throw new QuireError(
      'INVALID_TITLE_FIELD',
      `type: '${slug}' is the collection's title field and must stay a text`,
    );
  }
  if (collection.dateField === slug && type !== 'datetime') {
    throw new QuireError(
      'INVALID_DATE_FIELD',
      `type: '${slug}' is the collection's date field and must stay a datetime`,
    );
  }
}

/** Checked before the other rules, because rules of the former type do not fit the new one. */
function assertTypeChangeAllowed(before: FieldDefinition, type: FieldType): void {
  throwFirstProblem(checkFieldChange(before, { ...before, type }, { hasRows: false }).problems);
}

async function assertStoredDataValid(
  locked: LockedCollection,
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  const { problems, dataChecks } = checkFieldChange(before, after, {
    hasRows: await hasRows(locked.tx, locked.table),
  });
  throwFirstProblem(problems);
  for (const check of dataChecks) {
    // Creating the unique index finds repeated values.
    if (check === 'unique') continue;
    if (await hasViolation(locked.tx, check, locked.table, after.slug))
      throw needsMigration(after.slug, check);
  }
}

function needsMigration(slug: string, rule: string, cause?: unknown): QuireError {
  const message = `${rule}: entries are stored that break it for '${slug}'; change them first`;
  return new QuireError('FIELD_UPDATE_REQUIRES_MIGRATION', message, { cause });
}

async function updateIndexes(
  { tx, table }: LockedCollection,
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  const { slug } = after;
  if (before.indexed && !after.indexed) await dropFieldIndex(tx, table, slug);
  if (!before.indexed && after.indexed) await createIndex('indexed', () => createFieldIndex(tx, table, slug));
  if (before.unique && !after.unique) await dropUniqueIndex(tx, table, slug);
  if (!before.unique && after.unique) await createIndex('unique', () => createUniqueIndex(tx, table, after));

  /** Repeated values prevent an index, and so does a value that is too long together with an id of foreign origin. */
  async function createIndex(rule: string, create: () => Promise<void>): Promise<void> {
    try {
      await create();
    } catch (error) {
      const isCausedByData = hasSqlState(error, sqlState.uniqueViolation, sqlState.programLimitExceeded);
      throw isCausedByData ? needsMigration(slug, rule, error) : error;
    }
  }
}
