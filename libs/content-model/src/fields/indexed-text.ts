import { toColumn } from '../validation/columns.js';
import type { FieldValidator } from './validation-context.js';
import { isRelationField, type FieldDefinition } from './field-definition.js';
import { columnType } from './field-types.js';
import { validationMessages } from './issues.js';

/**
 * Maximum length of a value of an indexed text field, in UTF-8 bytes. A PostgreSQL index accepts rows of 2704 bytes; a
 * row has the value, up to 88 bytes of the entry's id and 16 bytes of overhead. Whether a longer value fits would
 * depend on its compression, which users cannot predict.
 */
export const maxIndexedBytes = 2600;

/** Whether values of the field are indexed as plain texts. */
export function isIndexedText(field: FieldDefinition): boolean {
  return field.indexed && !isRelationField(field) && columnType(field.type) === 'text';
}

/** Bytes of a text in UTF-8. The panel checks values, too: `Buffer` is not in browsers. */
const utf8Length = (text: string) => new TextEncoder().encode(text).length;

/** Extends the checks of an indexed text field by the maximum length of an index key. */
export function indexedTextValidator(field: FieldDefinition, check: FieldValidator): FieldValidator {
  return (value, path, context) => {
    const problems = context.issues.length;
    const checked = check(value, path, context);
    if (context.issues.length > problems) return checked;
    if (utf8Length(String(toColumn(field, checked))) > maxIndexedBytes)
      context.addIssue(path, validationMessages.maxIndexed(maxIndexedBytes));
    return checked;
  };
}
