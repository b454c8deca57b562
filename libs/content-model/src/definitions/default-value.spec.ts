import { describe, expect, test } from '@jest/globals';
import {
  checkFieldDefinition,
  completeFieldDefinition,
  type FieldDefinitionInput,
} from './check-field-definition.js';

const subField = { slug: 'url', label: 'URL', type: 'url' };

const problemsOf = (type: string, parts: FieldDefinitionInput): string[] =>
  checkFieldDefinition({ slug: 'field', label: 'Field', type, ...parts }).map(
    ({ code, path }) => `${code} ${path}`,
  );

describe('defaultValue', () => {
  test.each<[string, FieldDefinitionInput]>([
    ['string', { defaultValue: 'abc', validation: { maxLength: 3 } }],
    ['integer', { defaultValue: 0 }],
    ['boolean', { defaultValue: false }],
    ['boolean', { defaultValue: 1 }],
    ['datetime', { defaultValue: '2025-01-24T13:00:00+01:00' }],
    ['select', { defaultValue: 'a', validation: { options: ['a'] } }],
    ['json', { defaultValue: { any: ['thing'] } }],
    ['repeater', { defaultValue: [{ url: '/' }], validation: { subFields: [subField] } }],
  ])('of a %s field is valid when the field accepts it', (type, parts) => {
    expect(problemsOf(type, parts)).toEqual([]);
  });

  test.each<[string, FieldDefinitionInput, string]>([
    ['string', { defaultValue: 'abcd', validation: { maxLength: 3 } }, 'defaultValue'],
    ['string', { defaultValue: '', required: true }, 'defaultValue'],
    ['integer', { defaultValue: '5' }, 'defaultValue'],
    ['boolean', { defaultValue: '1' }, 'defaultValue'],
    ['datetime', { defaultValue: '2025-01-24' }, 'defaultValue'],
    ['url', { defaultValue: 'javascript:x' }, 'defaultValue'],
    ['select', { defaultValue: 'b', validation: { options: ['a'] } }, 'defaultValue'],
    [
      'repeater',
      { defaultValue: [{ url: 'x' }], validation: { subFields: [subField] } },
      'defaultValue.0.url',
    ],
  ])('of a %s field is invalid when its own validation rejects it', (type, parts, path) => {
    expect(problemsOf(type, parts)).toEqual([`VALIDATION_ERROR ${path}`]);
  });
});

describe('completeFieldDefinition', () => {
  test.each([
    [0, false],
    [1, true],
    [true, true],
  ])('converts the default %j of a boolean field to %j', (defaultValue, taken) => {
    const input = { slug: 'a', label: 'A', type: 'boolean', defaultValue };
    expect(completeFieldDefinition(input)).toMatchObject({ defaultValue: taken });
    expect(completeFieldDefinition({ ...input, type: 'integer' })).toMatchObject({ defaultValue });
  });
});

describe('completeFieldDefinition with unset properties', () => {
  test('sets the documented default, or null', () => {
    expect(completeFieldDefinition({ slug: 'a', label: 'A', type: 'string' })).toEqual({
      slug: 'a',
      label: 'A',
      type: 'string',
      required: false,
      unique: false,
      searchable: false,
      indexed: false,
      translatable: true,
      defaultValue: null,
      validation: null,
      widget: null,
      options: null,
      sortOrder: null,
    });
  });

  test('keeps set properties', () => {
    const set = { required: true, translatable: false, defaultValue: 0, sortOrder: 0, options: { rows: 1 } };
    expect(completeFieldDefinition({ slug: 'a', label: 'A', type: 'text', ...set })).toMatchObject(set);
  });
});
