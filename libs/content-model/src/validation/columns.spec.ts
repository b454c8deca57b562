import { describe, expect, test } from '@jest/globals';
import { JsonText } from '@quire/values';
import { buildField } from '../testing/build-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { fieldTypes } from '../fields/field-types.js';
import { fromColumn, isReadAsText, toColumn, type ColumnValue } from './columns.js';

const many = { options: { allowMultiple: true } };
const row: readonly [Partial<FieldDefinition>, unknown, ColumnValue, unknown][] = [
  [{ type: 'string' }, 'a', 'a', 'a'],
  [{ type: 'string' }, '{"a":1}', '{"a":1}', '{"a":1}'],
  [{ type: 'text' }, 'a\n b', 'a\n b', 'a\n b'],
  [{ type: 'slug' }, 'A b', 'A b', 'A b'],
  [{ type: 'url' }, '/x', '/x', '/x'],
  [{ type: 'select' }, 'red', 'red', 'red'],
  [{ type: 'number' }, 1.5, 1.5, 1.5],
  [{ type: 'integer' }, 9007199254740991, 9007199254740991, '9007199254740991'],
  [{ type: 'integer' }, -5, -5, -5],
  [{ type: 'boolean' }, true, 1, 1],
  [{ type: 'boolean' }, false, 0, '0'],
  [
    { type: 'datetime' },
    '2025-01-24T12:00:00.000Z',
    '2025-01-24T12:00:00.000Z',
    new Date('2025-01-24T12:00:00Z'),
  ],
  [{ type: 'multiSelect' }, ['a'], '["a"]', ['a']],
  [{ type: 'portableText' }, [{ _type: 'block' }], '[{"_type":"block"}]', [{ _type: 'block' }]],
  [{ type: 'image' }, { id: '1' }, '{"id":"1"}', { id: '1' }],
  [{ type: 'file' }, { id: '1' }, '{"id":"1"}', { id: '1' }],
  [{ type: 'repeater' }, [{ a: 1 }], '[{"a":1}]', [{ a: 1 }]],
  [{ type: 'blocks' }, [], '[]', []],
  [
    { type: 'json' },
    new JsonText('{ "2": 1.0, "1": 1e2 }'),
    '{ "2": 1.0, "1": 1e2 }',
    '{ "2": 1.0, "1": 1e2 }',
  ],
  [{ type: 'json' }, new JsonText('"5"'), '"5"', '"5"'],
  [{ type: 'reference' }, '01H', '01H', '01H'],
  [{ type: 'reference', ...many }, ['a', 'b'], '["a","b"]', '["a","b"]'],
];

describe('toColumn and fromColumn', () => {
  test.each(row)('preserve a value of %j: %j', (parts, value, sent, returned) => {
    const field = buildField(parts);
    expect(toColumn(field, value)).toStrictEqual(sent);
    expect(fromColumn(field, returned)).toStrictEqual(value);
  });

  test.each(row)('preserve null of %j', (parts) => {
    expect(toColumn(buildField(parts), null)).toBeNull();
    expect(fromColumn(buildField(parts), null)).toBeNull();
  });

  test('store the JavaScript value of a json value without text', () => {
    expect(toColumn(buildField({ type: 'json' }), { b: 1, a: 2 })).toBe('{"b":1,"a":2}');
  });

  test('read only json fields as text', () => {
    const readAsText = fieldTypes.filter((type) => isReadAsText({ type }));
    expect(readAsText).toEqual(['json']);
  });

  test.each([
    ['01H', ['01H']],
    ['[x', ['[x']],
  ])('read a bare id %s from before allowMultiple as a list of one', (stored, value) => {
    expect(fromColumn(buildField({ type: 'reference', ...many }), stored)).toEqual(value);
  });

  test('throw for a relation-bound reference field, which has no column', () => {
    const field = buildField({ type: 'reference', validation: { relation: 'posts_author' } });
    expect(() => toColumn(field, 'x')).toThrow(TypeError);
    expect(() => fromColumn(field, 'x')).toThrow(TypeError);
  });
});
