import { JsonText, stringifyJson, datetimeFromColumn } from '@quire/values';
import { allowsMultiple, isRelationField, type FieldDefinition } from '../fields/field-definition.js';
import { columnType } from '../fields/field-types.js';

/** The properties of a definition that determine how a value is stored. */
export type StoredField = Pick<FieldDefinition, 'slug' | 'type' | 'validation' | 'options'>;

/** The parameter bound for a field's column. */
export type ColumnValue = string | number | null;

/**
 * Converts a normalised API value into the parameter for the field's column.
 * @param value a value that `validateValues` returned
 * @throws TypeError for a relation-bound reference, which has no column
 */
export function toColumn(field: StoredField, value: unknown): ColumnValue {
  assertHasColumn(field);
  if (value === null || value === undefined) return null;
  switch (columnType(field.type)) {
    case 'json':
    case 'jsonb':
      return stringifyJson(value);
    case 'smallint':
      return value === true ? 1 : 0;
    case 'double precision':
    case 'bigint':
      return value as number;
    case 'text':
    case 'timestamptz(3)':
      return allowsMultiple(field) ? JSON.stringify(value) : (value as string);
  }
}

/**
 * Converts a value that `pg` returned for the field's column into the API value.
 * @param dbValue the driver's value; bigint may be a text or a number, timestamptz a Date or a text; jsonb is parsed,
 *   json is read as text (`isReadAsText`) and becomes a JsonText
 * @throws TypeError for a relation-bound reference, which has no column, and for a value of another type
 */
export function fromColumn(field: StoredField, dbValue: unknown): unknown {
  assertHasColumn(field);
  if (dbValue === null || dbValue === undefined) return null;
  switch (columnType(field.type)) {
    case 'json':
      return new JsonText(dbValue as string);
    case 'jsonb':
      return dbValue;
    case 'smallint':
      return Number(dbValue) === 1;
    case 'double precision':
    case 'bigint':
      return Number(dbValue);
    case 'timestamptz(3)':
      return datetimeFromColumn(dbValue);
    case 'text':
      return allowsMultiple(field) ? idList(dbValue as string) : dbValue;
  }
}

/** Whether a statement selects the field's column as text, for `fromColumn`: parsing by the driver loses precision. */
export function isReadAsText({ type }: Pick<StoredField, 'type'>): boolean {
  return columnType(type) === 'json';
}

function assertHasColumn(field: StoredField): void {
  if (isRelationField(field))
    throw new TypeError(`the reference field '${field.slug}' has no column: its links are rows of their own`);
}

/** A field that took one id before `allowMultiple` was set still holds bare ids. */
function idList(text: string): unknown {
  if (!text.startsWith('[')) return [text];
  try {
    return JSON.parse(text);
  } catch {
    return [text];
  }
}
