import {
  checkFieldDefinition,
  type DefinitionProblem,
  type FieldDefinition,
  type FieldDefinitionInput,
} from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import type { Field } from './field.entity.js';

/** Columns that PostgreSQL gives every table, and takes from nobody. */
export const postgresColumns = new Set(['ctid', 'cmax', 'cmin', 'tableoid', 'xmax', 'xmin']);

/** Columns of these types have no equality that a unique index could use. */
const neverUnique = new Set(['json', 'portableText', 'repeater', 'blocks', 'multiSelect', 'image', 'file']);

/** @throws QuireError with the code of the first problem that has one of its own, else VALIDATION_ERROR with all. */
export function throwFirstProblem(problems: readonly DefinitionProblem[]): void {
  const coded = problems.find(({ code }) => code !== 'VALIDATION_ERROR');
  if (coded) throw new QuireError(coded.code, `${coded.path}: ${coded.message}`);
  if (problems.length > 0) throw invalidInput(problems);
}

/**
 * @throws QuireError with the code of the first problem; all VALIDATION_ERROR problems come together.
 */
export function assertValidFieldDefinition(
  input: FieldDefinitionInput,
  how: { isStored?: boolean } = {},
): void {
  throwFirstProblem(checkFieldDefinition(input, how));
  const { slug, type, unique } = input as Partial<FieldDefinition>;
  if (slug !== undefined && postgresColumns.has(slug)) {
    throw new QuireError('RESERVED_SLUG', `slug: '${slug}' is reserved by the database`);
  }
  if (unique && type !== undefined && neverUnique.has(type)) {
    throw invalidInput([{ path: 'unique', message: `is not available for ${type} fields` }]);
  }
}

/** What is stored of a definition. JSON columns take JSON text: the driver would send a string as it is. */
export async function upsertField(
  tx: Transaction,
  id: string,
  collectionId: string,
  field: FieldDefinition,
): Promise<void> {
  await tx.query(
    `INSERT INTO fields (id, collection_id, slug, label, type, required, "unique", searchable, indexed, translatable,
       default_value, validation, widget, options, sort_order)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     ON CONFLICT (id) DO UPDATE SET label = excluded.label, type = excluded.type, required = excluded.required,
       "unique" = excluded."unique", searchable = excluded.searchable, indexed = excluded.indexed,
       translatable = excluded.translatable, default_value = excluded.default_value, validation = excluded.validation,
       widget = excluded.widget, options = excluded.options, sort_order = excluded.sort_order, updated_at = now()`,
    [
      id,
      collectionId,
      field.slug,
      field.label,
      field.type,
      field.required,
      field.unique,
      field.searchable,
      field.indexed,
      field.translatable,
      asJson(field.defaultValue),
      asJson(field.validation),
      field.widget,
      asJson(field.options),
      field.sortOrder,
    ],
  );
}

const asJson = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

/** What the column of sort orders can hold. */
export const maxSortOrder = 2_147_483_647;

/** The place after the last field. */
export function nextSortOrder(fields: readonly Field[]): number {
  const next = fields.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder + 1), 0);
  return Math.min(next, maxSortOrder);
}
