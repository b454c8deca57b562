import { toColumn } from '../values/columns.js';
import type { Checker } from './check-run.js';
import { isRelationBound, type FieldDefinition } from './field-definition.js';
import { columnType } from './field-types.js';
import { reasons } from './issues.js';

/**
 * How long a value of an indexed text field may be, in UTF-8 bytes. An index of PostgreSQL takes rows of 2704 bytes; ours hold
 * the value and the entry's id, 16 bytes of overhead and up to 88 for the id. Whether a longer value fits would depend on how
 * well it can be compressed, which nobody can see in it.
 */
export const maxIndexedBytes = 2600;

/** Whether values of the field are texts that an index holds as they are. */
export function isIndexedText(field: FieldDefinition): boolean {
  return field.indexed && !isRelationBound(field) && columnType(field.type) === 'text';
}

/** Adds to the checks of an indexed text field that its index can take the value. */
export function indexedTextChecker(field: FieldDefinition, check: Checker): Checker {
  return (value, path, run) => {
    const problems = run.issues.length;
    const checked = check(value, path, run);
    if (run.issues.length > problems) return checked;
    const isTooLong = Buffer.byteLength(String(toColumn(field, checked))) > maxIndexedBytes;
    if (isTooLong) run.refuse(path, reasons.maxIndexed(maxIndexedBytes));
    return checked;
  };
}
