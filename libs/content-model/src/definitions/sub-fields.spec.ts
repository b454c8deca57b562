import { describe, expect, test } from '@jest/globals';
import { checkFieldDefinition, type FieldDefinitionInput } from './check-field-definition.js';

const subField = { slug: 'url', label: 'URL', type: 'url' };

const rules = (validation: unknown): FieldDefinitionInput => ({
  slug: 'links',
  label: 'Links',
  type: 'repeater',
  validation,
});
const repeater = (...subFields: unknown[]): FieldDefinitionInput => rules({ subFields });
const problemsOf = (input: FieldDefinitionInput): string[] =>
  checkFieldDefinition(input).map(({ code, path }) => `${code} ${path}`);

describe('subFieldProblems', () => {
  test.each('string text url number integer boolean datetime select image'.split(' '))(
    'accepts %s',
    (type) => {
      expect(checkFieldDefinition(repeater({ slug: 'status', label: 'A', type, required: true }))).toEqual(
        [],
      );
    },
  );

  test.each('multiSelect portableText file reference json slug repeater blocks'.split(' '))(
    'rejects %s',
    (type) => {
      expect(problemsOf(repeater({ slug: 'a', label: 'A', type }))).toEqual([
        'VALIDATION_ERROR validation.subFields.0.type',
      ]);
    },
  );

  test.each<[string, FieldDefinitionInput, string]>([
    ['are given', rules(null), 'subFields'],
    ['are among the rules', rules({ minItems: 1 }), 'subFields'],
    ['are a list', rules({ subFields: subField }), 'subFields'],
    ['are at least one', repeater(), 'subFields'],
    ['are objects', repeater('url'), 'subFields.0'],
    ['have a slug of the common pattern', repeater({ ...subField, slug: 'A' }), 'subFields.0.slug'],
    ['have a label', repeater({ slug: 'a', type: 'url' }), 'subFields.0.label'],
    ['have unique slugs', repeater(subField, subField), 'subFields.1.slug'],
    ['have a boolean required', repeater({ ...subField, required: 'yes' }), 'subFields.0.required'],
    ['have choices only on a select', repeater({ ...subField, options: ['a'] }), 'subFields.0.options'],
    [
      'have choices that are strings',
      repeater({ ...subField, type: 'select', options: [1] }),
      'subFields.0.options',
    ],
    [
      'have no properties beyond the documented',
      repeater({ ...subField, maxLength: 5 }),
      'subFields.0.maxLength',
    ],
  ])('rejects: %s', (_, input, path) => {
    expect(problemsOf(input)).toEqual([`VALIDATION_ERROR validation.${path}`]);
  });
});
