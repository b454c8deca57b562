import { toColumn } from '../values/columns.js';
import type { FieldValidator } from './validation-context.js';
import { isRelationField, type FieldDefinition } from './field-definition.js';
import { columnType } from './field-types.js';
import { validationMessages } from './issues.js';

/**
 * How long a value of an indexed text field may be, in UTF-8 bytes. An index of PostgreSQL takes rows of 2704 bytes;
 * ours hold the value and the entry's id, 16 bytes of overhead and up to 88 for the id. Whether a longer value fits
 * would depend on how well it can be compressed, which nobody can see in it.
 */
export const maxIndexedBytes = 2600;

/** Whether values of the field are texts that an index holds as they are. */
export function isIndexedText(field: FieldDefinition): boolean {
  return field.indexed && !isRelationField(field) && columnType(field.type) === 'text';
}

/** Adds to the checks of an indexed text field that its index can take the value. */
export function indexedTextValidator(field: FieldDefinition, check: FieldValidator): FieldValidator {
  return (value, path, context) => {
    const problems = context.issues.length;
    const checked = check(value, path, context);
    if (context.issues.length > problems) return checked;
    const isTooLong = Buffer.byteLength(String(toColumn(field, checked))) > maxIndexedBytes;
    if (isTooLong) context.addIssue(path, validationMessages.maxIndexed(maxIndexedBytes));
    return checked;
  };
}
