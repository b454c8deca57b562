import { describe, expect, test } from '@jest/globals';
import { fieldTypes, indexableTypes, type FieldType } from '../fields/field-types.js';
import { checkFieldDefinition, type FieldDefinitionInput } from './check-field-definition.js';

const subField = { slug: 'url', label: 'URL', type: 'url' };
const needed: Partial<Record<FieldType, unknown>> = { repeater: { subFields: [subField] } };

/** A valid definition of a type with the given changes. */
function field(type: string, parts: FieldDefinitionInput = {}): FieldDefinitionInput {
  return { slug: 'field', label: 'Field', type, validation: needed[type as FieldType], ...parts };
}

const problemsOf = (input: FieldDefinitionInput): string[] =>
  checkFieldDefinition(input).map(({ code, path }) => `${code} ${path}`);

const rules = (type: string, validation: unknown): FieldDefinitionInput => field(type, { validation });

describe('checkFieldDefinition', () => {
  test.each(fieldTypes)('accepts the type %s', (type) => {
    expect(checkFieldDefinition(field(type))).toEqual([]);
  });

  test.each<[string, FieldDefinitionInput]>([
    ['bounds that meet', rules('number', { min: 1, max: 1 })],
    ['negative and fractional bounds', rules('number', { min: -1.5, max: 0 })],
    ['text rules', rules('text', { minLength: 0, maxLength: 5, pattern: '^[a-z]+$' })],
    ['a backslash before a k or a digit', rules('text', { pattern: '^\\\\k\\\\1\\0k1$' })],
    ['text rules on a slug', rules('slug', { minLength: 1, maxLength: 5, pattern: 'a' })],
    ['required among the rules', rules('url', { required: true })],
    ['choices', rules('select', { options: ['a', 'A'] })],
    ['an empty list of choices', rules('multiSelect', { options: [] })],
    [
      '64 exact MIME types',
      rules('file', { allowedMimeTypes: Array.from({ length: 64 }, (_, n) => `image/x-${n}`) }),
    ],
    ['a vendor MIME type', rules('image', { allowedMimeTypes: ['image/svg+xml', 'image/vnd.a.b-c'] })],
    ['a target collection', rules('reference', { targetCollection: 'posts', multiple: true })],
    ['a relation and its side', rules('reference', { relation: 'posts_author', relationSide: 'child' })],
    [
      'an unbound reference, indexed',
      field('reference', { indexed: true, options: { allowMultiple: true, collection: 'posts' } }),
    ],
    ['a required relation', field('reference', { required: true, validation: { relation: 'r' } })],
    [
      'blocks rules',
      rules('blocks', { allowedTypes: ['hero', 'quote'], retiredTypes: ['old'], minItems: 0, maxItems: 100 }),
    ],
    [
      'blocks flags that are off',
      field('blocks', { required: false, unique: false, searchable: false, indexed: false, widget: null }),
    ],
    ['item counts that meet', rules('repeater', { subFields: [subField], minItems: 2, maxItems: 2 })],
    ['rows of a text', field('text', { options: { rows: 3 } })],
    ['a dark variant', field('image', { options: { darkVariant: true } })],
    [
      'nulls for what is not set',
      field('string', { defaultValue: null, validation: null, widget: null, options: null, sortOrder: null }),
    ],
  ])('accepts %s', (_, input) => {
    expect(checkFieldDefinition(input)).toEqual([]);
  });

  test.each<[string, FieldDefinitionInput, string[]]>([
    ['an invalid slug', field('string', { slug: 'A' }), ['INVALID_SLUG slug']],
    ['no slug', field('string', { slug: undefined }), ['INVALID_SLUG slug']],
    ['a reserved slug', field('string', { slug: 'status' }), ['RESERVED_SLUG slug']],
    ['no label', field('string', { label: undefined }), ['VALIDATION_ERROR label']],
    ['a blank label', field('string', { label: ' ' }), ['VALIDATION_ERROR label']],
    ['a type that is not one of the 17', field('money'), ['VALIDATION_ERROR type']],
    ['a type named like an object property', field('constructor'), ['VALIDATION_ERROR type']],
    ['a flag that is no boolean', field('string', { unique: 1 }), ['VALIDATION_ERROR unique']],
    ['a negative sortOrder', field('string', { sortOrder: -1 }), ['VALIDATION_ERROR sortOrder']],
    ['an empty widget', field('string', { widget: '' }), ['VALIDATION_ERROR widget']],
    ['options that are a list', field('string', { options: [] }), ['VALIDATION_ERROR options']],
    [
      'options PostgreSQL cannot store',
      field('string', { options: { a: '\u0000' } }),
      ['VALIDATION_ERROR options.a'],
    ],
    ['rows below one', field('text', { options: { rows: 0 } }), ['VALIDATION_ERROR options.rows']],
    [
      'an allowMultiple that is no boolean',
      field('reference', { options: { allowMultiple: 'yes' } }),
      ['VALIDATION_ERROR options.allowMultiple'],
    ],
    [
      'a darkVariant that is no boolean',
      field('image', { options: { darkVariant: 1 } }),
      ['VALIDATION_ERROR options.darkVariant'],
    ],
    ['rules that are no object', rules('string', 'x'), ['VALIDATION_ERROR validation']],
    ['a rule of another type', rules('string', { min: 1 }), ['VALIDATION_ERROR validation.min']],
    ['a pattern on a url', rules('url', { pattern: 'a' }), ['VALIDATION_ERROR validation.pattern']],
    ['an unknown rule', rules('string', { maxlength: 1 }), ['VALIDATION_ERROR validation.maxlength']],
    [
      'a rule named like an object property',
      rules('string', { constructor: 1 }),
      ['VALIDATION_ERROR validation.constructor'],
    ],
    ['a rule that is null', rules('string', { maxLength: null }), ['VALIDATION_ERROR validation.maxLength']],
    ['min above max', rules('integer', { min: 2, max: 1 }), ['VALIDATION_ERROR validation.min']],
    [
      'minLength above maxLength',
      rules('string', { minLength: 2, maxLength: 1 }),
      ['VALIDATION_ERROR validation.minLength'],
    ],
    [
      'minItems above maxItems',
      rules('blocks', { minItems: 2, maxItems: 1 }),
      ['VALIDATION_ERROR validation.minItems'],
    ],
    ['a min that is no number', rules('number', { min: '1' }), ['VALIDATION_ERROR validation.min']],
    ['a max without an end', rules('number', { max: Infinity }), ['VALIDATION_ERROR validation.max']],
    ['a length below zero', rules('string', { minLength: -1 }), ['VALIDATION_ERROR validation.minLength']],
    [
      'a length that is not whole',
      rules('string', { maxLength: 1.5 }),
      ['VALIDATION_ERROR validation.maxLength'],
    ],
    ['maxItems of zero', rules('blocks', { maxItems: 0 }), ['VALIDATION_ERROR validation.maxItems']],
    ['minItems below zero', rules('blocks', { minItems: -1 }), ['VALIDATION_ERROR validation.minItems']],
    ['more than 100 blocks', rules('blocks', { maxItems: 101 }), ['VALIDATION_ERROR validation.maxItems']],
    ['at least 101 blocks', rules('blocks', { minItems: 101 }), ['VALIDATION_ERROR validation.minItems']],
    [
      'a pattern that does not compile',
      rules('string', { pattern: '[a' }),
      ['VALIDATION_ERROR validation.pattern'],
    ],
    [
      'a pattern with look-ahead',
      rules('string', { pattern: '(?=a)a' }),
      ['VALIDATION_ERROR validation.pattern'],
    ],
    [
      'a pattern with a back-reference',
      rules('string', { pattern: '(a)\\1' }),
      ['VALIDATION_ERROR validation.pattern'],
    ],
    [
      'a pattern with a back-reference by name',
      rules('string', { pattern: '^(?<n>a|b)\\k<n>$' }),
      ['VALIDATION_ERROR validation.pattern'],
    ],
    [
      'a pattern with a back-reference that reads like an octal number',
      rules('string', { pattern: '(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10' }),
      ['VALIDATION_ERROR validation.pattern'],
    ],
    [
      'an exploding pattern',
      rules('string', { pattern: '(a{1000}){1000}' }),
      ['VALIDATION_ERROR validation.pattern'],
    ],
    ['an empty pattern', rules('string', { pattern: '' }), ['VALIDATION_ERROR validation.pattern']],
    [
      'a pattern of endless length',
      rules('string', { pattern: 'a'.repeat(1001) }),
      ['VALIDATION_ERROR validation.pattern'],
    ],
    [
      'a choice that is no string',
      rules('select', { options: ['a', 1] }),
      ['VALIDATION_ERROR validation.options'],
    ],
    ['an empty choice', rules('select', { options: [''] }), ['VALIDATION_ERROR validation.options']],
    [
      'a choice given twice',
      rules('multiSelect', { options: ['a', 'a'] }),
      ['VALIDATION_ERROR validation.options'],
    ],
    [
      'no MIME type',
      rules('image', { allowedMimeTypes: [] }),
      ['VALIDATION_ERROR validation.allowedMimeTypes'],
    ],
    [
      '65 MIME types',
      rules('image', { allowedMimeTypes: Array.from({ length: 65 }, (_, n) => `image/x-${n}`) }),
      ['VALIDATION_ERROR validation.allowedMimeTypes'],
    ],
    [
      'image/* for a MIME type',
      rules('image', { allowedMimeTypes: ['image/png', 'image/*'] }),
      ['VALIDATION_ERROR validation.allowedMimeTypes.1'],
    ],
    [
      'image/ for a MIME type',
      rules('image', { allowedMimeTypes: ['image/'] }),
      ['VALIDATION_ERROR validation.allowedMimeTypes.0'],
    ],
    [
      'a MIME type with parameters',
      rules('file', { allowedMimeTypes: ['text/plain; charset=utf-8'] }),
      ['VALIDATION_ERROR validation.allowedMimeTypes.0'],
    ],
    [
      'both a target and a relation',
      rules('reference', { targetCollection: 'a', relation: 'b' }),
      ['VALIDATION_ERROR validation.relation'],
    ],
    [
      'a side without a relation',
      rules('reference', { targetCollection: 'a', relationSide: 'child' }),
      ['VALIDATION_ERROR validation.relationSide'],
    ],
    [
      'a side that is neither',
      rules('reference', { relation: 'a', relationSide: 'left' }),
      ['VALIDATION_ERROR validation.relationSide'],
    ],
    [
      'a target that is no slug',
      rules('reference', { targetCollection: 'A B' }),
      ['VALIDATION_ERROR validation.targetCollection'],
    ],
    [
      'a relation that is searchable',
      field('reference', { searchable: true, validation: { relation: 'r' } }),
      ['VALIDATION_ERROR searchable'],
    ],
    [
      'a relation that is unique',
      field('reference', { unique: true, validation: { targetCollection: 'a' } }),
      ['VALIDATION_ERROR unique'],
    ],
    [
      'a relation with a default',
      field('reference', { defaultValue: 'x', validation: { relation: 'r' } }),
      ['VALIDATION_ERROR defaultValue'],
    ],
    [
      'a relation that is indexed',
      field('reference', { indexed: true, validation: { relation: 'r' } }),
      ['FIELD_NOT_INDEXABLE indexed'],
    ],
    [
      'a target that is indexed',
      field('reference', { indexed: true, validation: { targetCollection: 'a' } }),
      ['FIELD_NOT_INDEXABLE indexed'],
    ],
    ['required blocks', field('blocks', { required: true }), ['VALIDATION_ERROR required']],
    [
      'blocks required among the rules',
      rules('blocks', { required: true }),
      ['VALIDATION_ERROR validation.required'],
    ],
    ['unique blocks', field('blocks', { unique: true }), ['VALIDATION_ERROR unique']],
    ['searchable blocks', field('blocks', { searchable: true }), ['VALIDATION_ERROR searchable']],
    ['indexed blocks', field('blocks', { indexed: true }), ['FIELD_NOT_INDEXABLE indexed']],
    ['blocks with a widget', field('blocks', { widget: 'w' }), ['VALIDATION_ERROR widget']],
    ['blocks with options', field('blocks', { options: {} }), ['VALIDATION_ERROR options']],
    ['blocks with a default', field('blocks', { defaultValue: [] }), ['VALIDATION_ERROR defaultValue']],
    [
      'blocks of types that are no slugs',
      rules('blocks', { allowedTypes: ['Hero'] }),
      ['VALIDATION_ERROR validation.allowedTypes'],
    ],
    [
      'a block type allowed twice',
      rules('blocks', { allowedTypes: ['a', 'a'] }),
      ['VALIDATION_ERROR validation.allowedTypes'],
    ],
    [
      'several problems',
      field('money', { slug: 'id', label: '' }),
      ['RESERVED_SLUG slug', 'VALIDATION_ERROR label', 'VALIDATION_ERROR type'],
    ],
  ])('rejects %s', (_, input, problems) => {
    expect(problemsOf(input)).toEqual(problems);
  });

  test.each(fieldTypes)('accepts indexed for the type %s exactly when the document lists it', (type) => {
    const problems = problemsOf(field(type, { indexed: true }));
    expect(problems).toEqual(indexableTypes.has(type) ? [] : ['FIELD_NOT_INDEXABLE indexed']);
    expect([...indexableTypes]).toEqual(
      'string url number integer boolean datetime select reference slug'.split(' '),
    );
  });

  test('accepts a stored definition with a relation and its target', () => {
    const stored = rules('reference', { relation: 'r', relationSide: 'parent', targetCollection: 'a' });
    expect(checkFieldDefinition(stored, { isStored: true })).toEqual([]);
  });
});
