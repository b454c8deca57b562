import { describe, expect, test } from '@jest/globals';
import { blockFingerprint, checkBlockFields, type BlockField } from './block-fields.js';
import { findBreakingChanges } from './compatible-change.js';

const field = (parts: Partial<BlockField> = {}): BlockField => ({
  slug: 'title',
  label: 'Title',
  type: 'string',
  ...parts,
});
const rows = (subFields: object[], more: object = {}) =>
  field({ slug: 'rows', type: 'repeater', validation: { subFields, ...more } as BlockField['validation'] });
const sub = (slug: string, more: object = {}) => ({ slug, label: slug, type: 'string', ...more });

describe('checkBlockFields (document 3, blocks rules)', () => {
  test.each([
    'string',
    'text',
    'url',
    'number',
    'integer',
    'boolean',
    'datetime',
    'select',
    'multiSelect',
    'portableText',
    'image',
    'file',
  ] as const)('may be %s', (type) => {
    expect(checkBlockFields([field({ type })])).toEqual([]);
  });

  test('accepts a repeater', () => {
    expect(checkBlockFields([rows([sub('a')])])).toEqual([]);
  });

  test.each(['reference', 'json', 'slug', 'blocks'] as const)('rejects the type %s', (type) => {
    expect(checkBlockFields([field({ type })])).toMatchObject([{ path: '0.type' }]);
  });

  test('accepts slugs that are reserved for fields of collections', () => {
    expect(checkBlockFields([field({ slug: 'status' }), field({ slug: 'id' })])).toEqual([]);
  });

  test.each<[string, Partial<BlockField>, string]>([
    ['a malformed slug', { slug: 'Not a slug' }, '0.slug'],
    ['a blank label', { label: ' ' }, '0.label'],
    ['a rule of another type', { validation: { min: 1 } }, '0.validation.min'],
    ['crossed limits', { validation: { minLength: 3, maxLength: 2 } }, '0.validation.minLength'],
    ['a pattern that backtracks', { validation: { pattern: '(?=a)' } }, '0.validation.pattern'],
    [
      'a default that breaks the rules',
      { validation: { maxLength: 1 }, defaultValue: 'long' },
      '0.defaultValue',
    ],
  ])('rejects %s, with a path in the field', (_, parts, path) => {
    expect(checkBlockFields([field(parts)])).toMatchObject([{ path, code: 'VALIDATION_ERROR' }]);
  });

  test('rejects a repeated slug', () => {
    expect(checkBlockFields([field(), field({ type: 'text' })])).toMatchObject([{ path: '1.slug' }]);
  });
});

describe('blockFingerprint', () => {
  const base = [field({ validation: { minLength: 1, maxLength: 5 } }), rows([sub('a')])];

  test('does not depend on labels, the order of properties and unset properties', () => {
    const same = [
      {
        validation: { maxLength: 5, minLength: 1 },
        type: 'string',
        label: 'Other',
        slug: 'title',
        required: false,
      },
      rows([{ label: 'Other', type: 'string', slug: 'a' }]),
    ] as BlockField[];
    expect(blockFingerprint(same)).toBe(blockFingerprint(base));
  });

  test.each<[string, BlockField[]]>([
    ['a rule', [field({ validation: { minLength: 2, maxLength: 5 } }), rows([sub('a')])]],
    [
      'what is required',
      [field({ validation: { minLength: 1, maxLength: 5 }, required: true }), rows([sub('a')])],
    ],
    ['a sub-field', [field({ validation: { minLength: 1, maxLength: 5 } }), rows([sub('b')])]],
    ['the order', [...base].reverse()],
    [
      'a default',
      [field({ validation: { minLength: 1, maxLength: 5 }, defaultValue: 'x' }), rows([sub('a')])],
    ],
  ])('differs with %s', (_, fields) => {
    expect(blockFingerprint(fields)).not.toBe(blockFingerprint(base));
  });
});

describe('findBreakingChanges', () => {
  const select = (options?: string[]) =>
    field({ type: 'select', ...(options && { validation: { options } }) });
  const limits = (validation: object) => field({ validation } as Partial<BlockField>);
  const image = (parts: object) => field({ type: 'image', ...parts });

  test.each<[string, BlockField[], BlockField[]]>([
    ['nothing changed', [field()], [field()]],
    ['a new optional field', [field()], [field(), field({ slug: 'more' })]],
    ['another label', [field()], [field({ label: 'Name' })]],
    ['another order', [field(), field({ slug: 'b' })], [field({ slug: 'b' }), field()]],
    ['no longer required', [field({ required: true })], [field()]],
    ['wider limits', [limits({ minLength: 2, maxLength: 4 })], [limits({ minLength: 1, maxLength: 5 })]],
    ['limits dropped', [limits({ minLength: 2, maxLength: 4 })], [limits({})]],
    ['a pattern dropped', [limits({ pattern: 'a' })], [limits({})]],
    ['more choices', [select(['a'])], [select(['b', 'a'])]],
    ['any choice', [select(['a'])], [select()]],
    ['more file types', [image({ validation: { allowedMimeTypes: ['image/png'] } })], [image({})]],
    ['a dark variant', [image({})], [image({ options: { darkVariant: true } })]],
    ['a new optional sub-field', [rows([sub('a')])], [rows([sub('a'), sub('b')])]],
    ['more rows', [rows([sub('a')], { maxItems: 2 })], [rows([sub('a')], { maxItems: 3 })]],
  ])('finds nothing: %s', (_, before, after) => {
    expect(findBreakingChanges(before, after)).toEqual([]);
  });

  test.each<[string, BlockField[], BlockField[], string]>([
    ['a field removed', [field(), field({ slug: 'b' })], [field()], 'b'],
    ['a field replaced', [field()], [field({ slug: 'name' })], 'title'],
    ['another type', [field()], [field({ type: 'text' })], 'title.type'],
    ['a new required field', [field()], [field(), field({ slug: 'b', required: true })], 'b'],
    ['newly required', [field()], [field({ required: true })], 'title.required'],
    [
      'a higher minimum',
      [limits({ minLength: 1 })],
      [limits({ minLength: 2 })],
      'title.validation.minLength',
    ],
    ['a new maximum', [limits({})], [limits({ maxLength: 5 })], 'title.validation.maxLength'],
    ['a new pattern', [limits({})], [limits({ pattern: 'a' })], 'title.validation.pattern'],
    ['another pattern', [limits({ pattern: 'a' })], [limits({ pattern: 'b' })], 'title.validation.pattern'],
    ['a choice removed', [select(['a', 'b'])], [select(['a'])], 'title.validation.options'],
    ['choices where any went', [select()], [select(['a'])], 'title.validation.options'],
    [
      'file types where any went',
      [image({})],
      [image({ validation: { allowedMimeTypes: ['image/png'] } })],
      'title.validation.allowedMimeTypes',
    ],
    [
      'no dark variant any more',
      [image({ options: { darkVariant: true } })],
      [image({})],
      'title.options.darkVariant',
    ],
    ['a sub-field removed', [rows([sub('a'), sub('b')])], [rows([sub('a')])], 'rows.validation.subFields.b'],
    [
      'a required sub-field',
      [rows([sub('a')])],
      [rows([sub('a'), sub('b', { required: true })])],
      'rows.validation.subFields.b',
    ],
    [
      'fewer rows',
      [rows([sub('a')], { maxItems: 3 })],
      [rows([sub('a')], { maxItems: 2 })],
      'rows.validation.maxItems',
    ],
  ])('finds %s', (_, before, after, path) => {
    expect(findBreakingChanges(before, after)).toEqual([{ path, message: expect.any(String) }]);
  });
});
