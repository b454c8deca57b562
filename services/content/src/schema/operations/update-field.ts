import {
  checkFieldChange,
  completeFieldDefinition,
  type DataCheck,
  type FieldDefinition,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, identifier, sqlState } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { fieldDefinition } from '../definitions/collection-definition.js';
import { Field } from '../field.entity.js';
import { requireSoundDefinition, storeField } from '../field-rules.js';
import { fieldAnswer, type FieldAnswer } from '../schema-answer.js';
import { fieldsOf, type HeldCollection, type SchemaChanges } from '../schema-change.js';
import type { FieldUpdate } from '../schema.schemas.js';
import {
  createFieldIndex,
  createUniqueIndex,
  dropFieldIndex,
  dropUniqueIndex,
} from '../tables/content-table.js';

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
): Promise<FieldAnswer> {
  return changes.ofCollection(ctx, address.collection, async (held) => {
    const stored = (await fieldsOf(held.tx, held.collection.id)).find(({ slug }) => slug === address.field);
    if (!stored)
      throw new QuireError('FIELD_NOT_FOUND', `'${address.collection}' has no field '${address.field}'`);
    const before = fieldDefinition(stored);
    const sent = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
    const merged = { ...before, ...sent };
    requireSoundDefinition(withoutUnset(merged), { isStored: true });
    const after = completeFieldDefinition(withoutUnset(merged));
    checkCollectionRoles(held, before, after);
    await requireStoredDataFits(held, before, after);
    await changeIndexes(held, before, after);
    await storeField(held.tx, stored.id, held.collection.id, after);
    return fieldAnswer(await held.tx.repository(Field).findOneByOrFail({ id: stored.id }));
  });
}

/** Unset optionals are absent for the content model's checks, not null. */
function withoutUnset(field: object): object {
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null));
}

function checkCollectionRoles(
  { collection }: HeldCollection,
  before: FieldDefinition,
  after: FieldDefinition,
): void {
  if (before.type === after.type) return;
  if (collection.dateField === before.slug) {
    throw new QuireError(
      'INVALID_DATE_FIELD',
      `'${before.slug}' is the collection's date field and must stay a datetime`,
    );
  }
}

async function requireStoredDataFits(
  held: HeldCollection,
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  const rows = await held.tx.query(`SELECT 1 FROM ${identifier(held.table)} LIMIT 1`);
  const { problems, dataChecks } = checkFieldChange(before, after, { hasRows: rows.length > 0 });
  const coded = problems.find(({ code }) => code !== 'VALIDATION_ERROR');
  if (coded) throw new QuireError(coded.code, `${coded.path}: ${coded.message}`);
  if (problems.length > 0) throw invalidInput(problems);
  for (const check of dataChecks) {
    if (check !== 'unique' && (await isBroken(held, after.slug, check)))
      throw needsMigration(after.slug, check);
  }
}

const brokenBy: Record<Exclude<DataCheck, 'unique'>, (column: string) => string> = {
  required: (column) => `${column} IS NULL OR ${column}::text IN ('', '""')`,
  translatable: (column) =>
    `_translation_group IN (SELECT _translation_group FROM rows GROUP BY 1
       HAVING count(*) > 1 AND (count(DISTINCT ${column}::text) > 1 OR count(${column}) NOT IN (0, count(*))))`,
};

async function isBroken(
  { tx, table }: HeldCollection,
  slug: string,
  check: Exclude<DataCheck, 'unique'>,
): Promise<boolean> {
  const condition = brokenBy[check](identifier(slug));
  const broken = await tx.query(
    `WITH rows AS (SELECT * FROM ${identifier(table)}) SELECT 1 FROM rows WHERE ${condition} LIMIT 1`,
  );
  return broken.length > 0;
}

function needsMigration(slug: string, check: DataCheck, cause?: unknown): QuireError {
  const message = `${check}: entries are stored that break it for '${slug}'; change them first`;
  return new QuireError('FIELD_UPDATE_REQUIRES_MIGRATION', message, { cause });
}

async function changeIndexes(
  { tx, table }: HeldCollection,
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  const { slug } = after;
  if (before.indexed && !after.indexed) await dropFieldIndex(tx, table, slug);
  if (!before.indexed && after.indexed) await createFieldIndex(tx, table, slug);
  if (before.unique && !after.unique) await dropUniqueIndex(tx, table, slug);
  if (before.unique || !after.unique) return;
  try {
    await createUniqueIndex(tx, table, slug);
  } catch (error) {
    throw hasSqlState(error, sqlState.uniqueViolation) ? needsMigration(slug, 'unique', error) : error;
  }
}
