import { describe, expect, test } from '@jest/globals';
import { buildField } from '../testing/build-field.js';
import { checkValue, type CheckedValue } from '../testing/check-value.js';
import { compileFields } from '../validation/compile-fields.js';
import type { ValidationOptions } from '../validation/validate-values.js';
import type { BlockTypes } from './blocks-field.js';
import type { WriteMode } from './validation-context.js';
import type { FieldValidation } from './field-definition.js';

const hero = compileFields(
  [
    buildField({ slug: 'title', required: true }),
    buildField({ slug: 'at', type: 'datetime' }),
    buildField({ slug: 'photo', type: 'image' }),
    buildField({ slug: 'constructor', defaultValue: 'x' }),
  ],
  'hero',
);

/** Block types `hero`, `quote` and `old`; each has version 1, with the fields of a hero. */
const blockTypes: BlockTypes = {
  has: (type) => ['hero', 'quote', 'old'].includes(type),
  version: (_, version) => (version === 1 ? hero : null),
  activeVersion: () => 1,
};

const block = (parts: Record<string, unknown> = {}): Record<string, unknown> => ({
  _type: 'hero',
  _version: 1,
  _key: 'a',
  title: 'T',
  ...parts,
});

function check(
  value: unknown,
  validation: FieldValidation = {},
  how: { mode?: WriteMode } & ValidationOptions = {},
): CheckedValue {
  return checkValue({ type: 'blocks', validation }, value, { blockTypes, ...how });
}

describe('blocks value', () => {
  test('keeps _type, _version and _key and normalises the fields of that version', () => {
    const result = check([block({ at: '2025-01-24T13:00+01:00', photo: '01H' })]);
    expect(result.found).toEqual([]);
    expect(result.value).toEqual([
      block({ at: '2025-01-24T12:00:00.000Z', photo: { provider: 'local', id: '01H' } }),
    ]);
    expect(result.media.map(({ path }) => path)).toEqual(['field.0.photo']);
  });

  test.each<[unknown, string[]]>([
    ['x', ['field type']],
    [
      ['x', null],
      ['field.0 type', 'field.1 type'],
    ],
    [[block({ _type: undefined })], ['field.0._type type']],
    [[block({ _type: { toString: 1 } })], ['field.0._type type']],
    [[block({ _type: 'nope' })], ['field.0._type block_type']],
    [[block({ _version: undefined })], ['field.0._version block_version']],
    [[block({ _version: 2 })], ['field.0._version block_version']],
    [[block({ _version: '1' })], ['field.0._version block_version']],
    [[block({ _version: 1.5 })], ['field.0._version block_version']],
    [[block({ _key: undefined })], ['field.0._key block_key']],
    [[block({ _key: '' })], ['field.0._key block_key']],
    [[block({ _key: '\u0000' })], ['field.0._key block_key']],
    [[block(), block()], ['field.1._key block_key']],
    [[block({ extra: 1, _extra: 1 })], ['field.0.extra unknown_field', 'field.0._extra unknown_field']],
    [[block({ title: '' })], ['field.0.title required']],
    [[block({ title: undefined })], ['field.0.title required']],
    [
      [block({ at: '2025-01-24' }), block({ _key: 'b', photo: 5 })],
      ['field.0.at datetime', 'field.1.photo type'],
    ],
  ])('rejects %j', (value, found) => {
    expect(check(value).found).toEqual(found);
  });

  test('accepts at most maxItems blocks, and at most 100', () => {
    const many = (count: number): unknown[] =>
      Array.from({ length: count }, (_, index) => block({ _key: `k${index}` }));
    expect(check(many(100)).found).toEqual([]);
    expect(check(many(101)).issues).toEqual([
      { path: 'field', code: 'max_items', message: 'must have at most 100 entries' },
    ]);
    expect(check(many(101), { maxItems: 500 }).found).toEqual(['field max_items']);
    expect(check(many(3), { maxItems: 2 }).found).toEqual(['field max_items']);
    expect(check(many(1), { minItems: 2 }).found).toEqual(['field min_items']);
  });

  test('accepts new blocks only of allowedTypes that are not retired', () => {
    expect(check([block()], { allowedTypes: ['hero'] }).found).toEqual([]);
    expect(check([block()], { allowedTypes: ['quote'] }).found).toEqual(['field.0._type block_type']);
    expect(check([block()], { retiredTypes: ['hero'] }).found).toEqual(['field.0._type block_type']);
  });

  test('accepts a block of a retired type only where a block with its key is stored', () => {
    const stored = { field: [block({ _type: 'old', _key: 'kept' }), block({ _key: 'other' })] };
    const rules = { allowedTypes: ['hero'], retiredTypes: ['old'] };
    const found = (key: string): string[] =>
      check([block({ _type: 'old', _key: key })], rules, { mode: 'update', stored }).found;
    expect(found('kept')).toEqual([]);
    expect(found('new')).toEqual(['field.0._type block_type']);
    expect(found('other')).toEqual(['field.0._type block_type']);
  });

  test('accepts retired types in a stored draft that is published', () => {
    expect(check([block({ _type: 'old' })], { retiredTypes: ['old'] }, { mode: 'publish' }).found).toEqual(
      [],
    );
  });

  test('defaults to the empty list, and null empties it', () => {
    expect(check(undefined).values).toEqual({ field: [] });
    expect(check(null).values).toEqual({ field: [] });
    expect(check(undefined, {}, { mode: 'update' }).values).toEqual({});
    expect(check(undefined, { minItems: 1 }).found).toEqual(['field min_items']);
  });

  test('accepts only the empty list without block types', () => {
    expect(checkValue({ type: 'blocks' }, [])).toMatchObject({ value: [], found: [] });
    expect(checkValue({ type: 'blocks' }, [block()]).found).toEqual(['field block_type']);
  });
});
