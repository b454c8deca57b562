import { blocksChecker, type BlockTypes } from './blocks-field.js';
import type { Checker, CheckerFactory, CompiledField, CompiledRecord } from './check-run.js';
import { multiSelectChecker, selectChecker } from './choice-fields.js';
import { datetimeChecker } from './datetime-field.js';
import {
  isRelationBound,
  isRequired,
  type CheckedField,
  type FieldDefinition,
  type SubField,
} from './field-definition.js';
import type { FieldType } from './field-types.js';
import { indexedTextChecker, isIndexedText } from './indexed-text.js';
import { jsonChecker } from './json-field.js';
import { fileChecker, imageChecker } from './media-fields.js';
import { booleanChecker, integerChecker, numberChecker } from './number-fields.js';
import { referenceChecker } from './reference-field.js';
import { repeaterChecker } from './repeater-field.js';
import { richTextChecker } from './rich-text-field.js';
import { textChecker, urlChecker } from './text-fields.js';

const factories: Readonly<Record<Exclude<FieldType, 'repeater' | 'blocks'>, CheckerFactory>> = {
  string: textChecker,
  text: textChecker,
  slug: textChecker,
  url: urlChecker,
  number: numberChecker,
  integer: integerChecker,
  boolean: booleanChecker,
  datetime: datetimeChecker,
  select: selectChecker,
  multiSelect: multiSelectChecker,
  portableText: richTextChecker,
  image: imageChecker,
  file: fileChecker,
  reference: referenceChecker,
  json: jsonChecker,
};

/**
 * Makes one field ready for checking values.
 * @param blockTypes what a blocks field asks; null accepts only the empty list there
 * @throws Error when the definition was never checked and its pattern does not compile
 */
export function compileField(field: FieldDefinition, blockTypes: BlockTypes | null): CompiledField {
  const check = checkerOf(field, blockTypes);
  return {
    ...compiled(field, isIndexedText(field) ? indexedTextChecker(field, check) : check),
    // A blocks field has no default of its own: it is the empty list (document 3, `blocks` rules).
    defaultValue: field.type === 'blocks' ? [] : (field.defaultValue ?? null),
  };
}

function compiled(field: CheckedField, check: Checker): CompiledField {
  return {
    slug: field.slug,
    type: field.type,
    isRequired: isRequired(field),
    hasColumn: !isRelationBound(field),
    defaultValue: null,
    isEmptyList: field.type === 'blocks',
    check,
  };
}

function checkerOf(field: CheckedField, blockTypes: BlockTypes | null): Checker {
  if (field.type === 'blocks') return blocksChecker(field, blockTypes);
  if (field.type === 'repeater') return repeaterChecker(field, compileRow(field));
  return factories[field.type](field);
}

function compileRow(field: CheckedField): CompiledRecord {
  const columns = (field.validation?.subFields ?? []).map((subField): [string, CompiledField] => {
    const column = rowField(subField);
    return [subField.slug, compiled(column, checkerOf(column, null))];
  });
  return { owner: field.slug, fields: new Map(columns) };
}

function rowField(subField: SubField): CheckedField {
  const { slug, type, required = false, options } = subField;
  return { slug, type, required, validation: options === undefined ? null : { options }, options: null };
}
