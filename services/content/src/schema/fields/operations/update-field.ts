import { audit } from '@quire/audit';
import {
  checkFieldChange,
  completeFieldDefinition,
  isRelationField,
  maxIndexedBytes,
  plainTextTypes,
  type DataCheck,
  type FieldDefinition,
  type FieldType,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, identifier, sqlState, type Statement } from '@quire/database';
import { QuireError } from '@quire/errors';
import { resolveAllowedBlockTypes } from '../../block-types/blocks-field-rules.js';
import { toFieldResponse, type FieldResponse } from '../../block-types/field.mapper.js';
import { fieldDefinition } from '../../definitions/collection-definition.js';
import { Field } from '../field.entity.js';
import { assertValidFieldDefinition, upsertField, throwFirstProblem } from '../field-rules.js';
import { bindReferenceField } from '../../relations/bind-reference-field.js';
import { updateRelationField, isConversion, plainSettings } from '../../relations/update-relation-field.js';
import { selectFields, type LockedCollection, type SchemaChanges } from '../../schema-change.js';
import type { FieldUpdate } from '../../schema.schemas.js';
import {
  createFieldIndex,
  createUniqueIndex,
  dropFieldIndex,
  dropUniqueIndex,
} from '../../tables/content-table.js';

/**
 * Changes what is sent of a field. A stricter rule is taken when all stored entries satisfy it already.
 * @throws QuireError COLLECTION_NOT_FOUND, FIELD_NOT_FOUND, FIELD_TYPE_COLUMN_CHANGE,
 * FIELD_TYPE_CHANGE_REQUIRES_MIGRATION, FIELD_UPDATE_REQUIRES_MIGRATION, FIELD_NOT_INDEXABLE, INVALID_TITLE_FIELD,
 * INVALID_DATE_FIELD, VALIDATION_ERROR.
 */
export async function updateField(
  ctx: Context,
  changes: SchemaChanges,
  address: { collection: string; field: string },
  update: FieldUpdate,
): Promise<FieldResponse> {
  const isBinding = update.validation?.['targetCollection'] ?? update.validation?.['relation'];
  const change = async (locked: LockedCollection): Promise<FieldResponse> => {
    const stored = (await selectFields(locked.tx, locked.collection.id)).find(
      ({ slug }) => slug === address.field,
    );
    if (!stored)
      throw new QuireError('FIELD_NOT_FOUND', `'${address.collection}' has no field '${address.field}'`);
    const before = fieldDefinition(stored);
    const sent = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
    const isConverted = isConversion(before, sent);
    const merged: FieldDefinition = {
      ...before,
      ...sent,
      ...(isConverted ? plainSettings : {}),
    };
    assertRolesKept(locked, before, merged.type);
    assertTypeChangeAllowed(before, merged.type);
    assertValidFieldDefinition(withoutUnset(merged), { isStored: true });
    const settled = await resolveAllowedBlockTypes(
      locked.tx,
      completeFieldDefinition(withoutUnset(merged)),
      before,
    );
    const after = isRelationField(before)
      ? settled
      : await bindReferenceField(locked.tx, locked.collection, settled);
    if (isRelationField(after)) await updateRelationField(locked, before, after);
    else {
      await assertStoredDataValid(locked, before, after);
      await updateIndexes(locked, before, after);
    }
    await upsertField(locked.tx, stored.id, locked.collection.id, after);
    await audit(ctx, locked.tx, {
      action: isConverted ? 'field.converted' : 'field.updated',
      target: { type: 'field', id: address.field },
      details: { collection: address.collection, fields: Object.keys(sent) },
    });
    return toFieldResponse(locked.tx, await locked.tx.repository(Field).findOneByOrFail({ id: stored.id }));
  };
  // A column that becomes links is dropped, and readers must be gone before.
  return isBinding
    ? changes.withTableLock(ctx, address.collection, change)
    : changes.withCollectionLock(ctx, address.collection, change);
}

/** Unset optionals are absent for the content model's checks, not null. */
function withoutUnset(field: object): object {
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null));
}

/** What the collection shows as title or date must stay a text or a date. */
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

/** Before anything else is said of the new type: rules of the old one do not fit it anyway. */
function assertTypeChangeAllowed(before: FieldDefinition, type: FieldType): void {
  throwFirstProblem(checkFieldChange(before, { ...before, type }, { hasRows: false }).problems);
}

async function assertStoredDataValid(
  locked: LockedCollection,
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  const rows = await locked.tx.query(`SELECT 1 FROM ${identifier(locked.table)} LIMIT 1`);
  const { problems, dataChecks } = checkFieldChange(before, after, { hasRows: rows.length > 0 });
  throwFirstProblem(problems);
  for (const check of dataChecks) {
    // The index that is about to be made finds doubled values itself.
    if (check === 'unique') continue;
    const found = await locked.tx.query(violationQueries[check](locked.table, after.slug));
    if (found.length > 0) throw needsMigration(after.slug, check);
  }
}

/**
 * Find an entry that breaks a rule. What an unpublished entry had before its draft is nobody's concern. Translations
 * may differ in drafts: publishing one gives its value to all (decision 4). The index holds columns alone, those of
 * trashed entries once they are restored; a draft that is too long for it is refused when it is published.
 */
const violationQueries: Record<Exclude<DataCheck, 'unique'>, (table: string, slug: string) => Statement> = {
  required: (table, slug) => {
    const column = `e.${identifier(slug)}`;
    return {
      text: `
        SELECT 1 FROM ${identifier(table)} e LEFT JOIN revisions r ON r.id = e.draft_revision_id
        WHERE ((e.status = 'published' OR r.id IS NULL) AND (${column} IS NULL OR ${column}::text IN ('', '""')))
          OR (r.id IS NOT NULL AND coalesce(r.data ->> $1, '') = '')
        LIMIT 1`,
      values: [slug],
    };
  },
  translatable: (table, slug) => ({
    text: `
      SELECT 1 FROM ${identifier(table)} e GROUP BY e._translation_group
      HAVING count(DISTINCT e.${identifier(slug)}::text) > 1 OR count(e.${identifier(slug)}) NOT IN (0, count(*))
      LIMIT 1`,
  }),
  indexed: (table, slug) => ({
    text: `SELECT 1 FROM ${identifier(table)} WHERE octet_length(${identifier(slug)}) > $1 LIMIT 1`,
    values: [maxIndexedBytes],
  }),
};

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
  if (!before.indexed && after.indexed) await index('indexed', () => createFieldIndex(tx, table, slug));
  if (before.unique && !after.unique) await dropUniqueIndex(tx, table, slug);
  if (!before.unique && after.unique) await index('unique', () => createUniqueIndex(tx, table, after));

  /**
   * Stored values that are doubled stand in the way of an index, and so do ids that are not ours and too long beside a
   * value.
   */
  async function index(rule: string, make: () => Promise<void>): Promise<void> {
    try {
      await make();
    } catch (error) {
      const isForData = hasSqlState(error, sqlState.uniqueViolation, sqlState.programLimitExceeded);
      throw isForData ? needsMigration(slug, rule, error) : error;
    }
  }
}
