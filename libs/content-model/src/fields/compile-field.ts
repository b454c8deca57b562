import { blocksValidator, type BlockTypes } from './blocks-field.js';
import type {
  FieldValidator,
  FieldValidatorFactory,
  CompiledField,
  CompiledRecord,
} from './validation-context.js';
import { multiSelectValidator, selectValidator } from './choice-fields.js';
import { datetimeValidator } from './datetime-field.js';
import {
  isRelationField,
  isRequired,
  type CheckedField,
  type FieldDefinition,
  type SubField,
} from './field-definition.js';
import type { FieldType } from './field-types.js';
import { indexedTextValidator, isIndexedText } from './indexed-text.js';
import { jsonValidator } from './json-field.js';
import { fileValidator, imageValidator } from './media-fields.js';
import { booleanValidator, integerValidator, numberValidator } from './number-fields.js';
import { referenceValidator } from './reference-field.js';
import { repeaterValidator } from './repeater-field.js';
import { richTextValidator } from './rich-text-field.js';
import { textValidator, urlValidator } from './text-fields.js';

const validatorFactories: Readonly<Record<Exclude<FieldType, 'repeater' | 'blocks'>, FieldValidatorFactory>> =
  {
    string: textValidator,
    text: textValidator,
    slug: textValidator,
    url: urlValidator,
    number: numberValidator,
    integer: integerValidator,
    boolean: booleanValidator,
    datetime: datetimeValidator,
    select: selectValidator,
    multiSelect: multiSelectValidator,
    portableText: richTextValidator,
    image: imageValidator,
    file: fileValidator,
    reference: referenceValidator,
    json: jsonValidator,
  };

/**
 * Compiles one field for the validation of values.
 * @param blockTypes the block types of the site; with null a blocks field accepts only the empty list
 * @throws Error when the definition was never checked and its pattern does not compile
 */
export function compileField(field: FieldDefinition, blockTypes: BlockTypes | null): CompiledField {
  const check = validatorOf(field, blockTypes);
  return {
    ...compiled(field, isIndexedText(field) ? indexedTextValidator(field, check) : check),
    // A blocks field has no configurable default: it is the empty list (document 3, `blocks` rules).
    defaultValue: field.type === 'blocks' ? [] : (field.defaultValue ?? null),
  };
}

function compiled(field: CheckedField, check: FieldValidator): CompiledField {
  return {
    slug: field.slug,
    type: field.type,
    isRequired: isRequired(field),
    hasColumn: !isRelationField(field),
    defaultValue: null,
    isEmptyList: field.type === 'blocks',
    check,
  };
}

function validatorOf(field: CheckedField, blockTypes: BlockTypes | null): FieldValidator {
  if (field.type === 'blocks') return blocksValidator(field, blockTypes);
  if (field.type === 'repeater') return repeaterValidator(field, compileRow(field));
  return validatorFactories[field.type](field);
}

function compileRow(field: CheckedField): CompiledRecord {
  const columns = (field.validation?.subFields ?? []).map((subField): [string, CompiledField] => {
    const column = rowField(subField);
    return [subField.slug, compiled(column, validatorOf(column, null))];
  });
  return { owner: field.slug, fields: new Map(columns) };
}

function rowField(subField: SubField): CheckedField {
  const { slug, type, required = false, options } = subField;
  return { slug, type, required, validation: options === undefined ? null : { options }, options: null };
}
