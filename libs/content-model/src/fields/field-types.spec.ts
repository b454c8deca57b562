import { describe, expect, test } from '@jest/globals';
import { columnClass, columnType, fieldTypes, isFieldType } from './field-types.js';

describe('fieldTypes', () => {
  test('are the 17 types of the document', () => {
    const documented =
      'string text url number integer boolean datetime select multiSelect portableText image file reference json slug repeater blocks';
    expect(fieldTypes).toEqual(documented.split(' '));
  });

  test.each([
    ['string', 'TEXT', 'text'],
    ['text', 'TEXT', 'text'],
    ['slug', 'TEXT', 'text'],
    ['url', 'TEXT', 'text'],
    ['number', 'REAL', 'double precision'],
    ['integer', 'INTEGER', 'bigint'],
    ['boolean', 'INTEGER', 'smallint'],
    ['datetime', 'TEXT', 'timestamptz(3)'],
    ['select', 'TEXT', 'text'],
    ['multiSelect', 'JSON', 'jsonb'],
    ['portableText', 'JSON', 'jsonb'],
    ['image', 'TEXT', 'jsonb'],
    ['file', 'TEXT', 'jsonb'],
    ['reference', 'TEXT', 'text'],
    ['json', 'JSON', 'json'],
    ['repeater', 'JSON', 'jsonb'],
    ['blocks', 'JSON', 'jsonb'],
  ] as const)('%s is shown as %s and stored as %s', (type, shown, stored) => {
    expect(columnClass(type)).toBe(shown);
    expect(columnType(type)).toBe(stored);
  });

  test.each(['String', 'money', '', 'constructor', null, 5])('exclude %j', (type) => {
    expect(isFieldType(type)).toBe(false);
  });
});
