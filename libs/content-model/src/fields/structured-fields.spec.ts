import { describe, expect, test } from '@jest/globals';
import { JsonText } from '@quire/values';
import { checkValue } from '../testing/check-value.js';
import type { FieldDefinition } from './field-definition.js';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
const polluted = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as unknown;

describe('json value', () => {
  test.each([5, 'text', true, [], {}, { b: 1, a: [null] }, '', nested(64), polluted])(
    'accepts %j, stored as its text',
    (value) => {
      const result = checkValue({ type: 'json' }, value);
      expect(result.found).toEqual([]);
      expect(result.value).toEqual(new JsonText(JSON.stringify(value)));
    },
  );

  test('is its submitted text', () => {
    const text = '{ "2": 12345678901234567890, "1": 1.0 }';
    const submittedText = (slug: string) => (slug === 'field' ? text : undefined);
    const { value } = checkValue({ type: 'json' }, JSON.parse(text), { submittedText });
    expect(value).toEqual(new JsonText(text));
    expect(checkValue({ type: 'json' }, value, { mode: 'publish' }).value).toBe(value);
  });

  test.each([
    [{ a: ['x', 'y\u0000'] }, 'field.a.1 characters'],
    [{ a: { 'k\u0000': 1 } }, 'field.a characters'],
    ['\ud800', 'field characters'],
    [{ '\udfff': 1 }, 'field characters'],
    [{ a: JSON.parse('1e999') as unknown }, 'field.a type'],
    [{ a: 5n }, 'field.a type'],
    [nested(65), `field.${Array.from({ length: 64 }, () => '0').join('.')} depth`],
  ])('rejects values that PostgreSQL or JSON cannot store (case %#)', (value, found) => {
    expect(checkValue({ type: 'json' }, value).found).toEqual([found]);
  });

  test('rejects excessive nesting without a crash', () => {
    expect(checkValue({ type: 'json' }, nested(100_000)).found[0]).toMatch(/depth$/);
  });
});

describe('portableText value', () => {
  const type = 'portableText';

  test('is returned unchanged except for a missing _key', () => {
    const block = {
      _type: 'block',
      _key: 'x',
      style: 'h2',
      children: [{ _type: 'span', text: 'a' }],
      custom: { deep: [1] },
    };
    expect(checkValue({ type }, [block])).toMatchObject({ value: [block], found: [] });
  });

  test('gets the same keys at the same positions, and none twice', () => {
    const sent = [
      { _type: 'block' },
      { _type: 'plugin', _key: 'k2' },
      { _type: 'block', _key: null },
      { _type: 'block', _key: '' },
    ];
    const keys = (checkValue({ type }, sent).value as { _key: string }[]).map(({ _key }) => _key);
    expect(keys).toEqual(['k0', 'k2', 'k2_', 'k3']);
    expect(checkValue({ type }, sent).value).toEqual(checkValue({ type }, sent).value);
    expect(sent[0]).toEqual({ _type: 'block' });
  });

  test.each<[unknown, string[]]>([
    ['<p>text</p>', ['field type']],
    [{ _type: 'block' }, ['field type']],
    [
      ['text', null, { _type: 'block' }],
      ['field.0 type', 'field.1 type'],
    ],
    [[{ style: 'h1' }], ['field.0._type type']],
    [[{ _type: 5, _key: 5 }], ['field.0._type type', 'field.0._key type']],
    [[{ _type: 'block', children: [{ text: '\u0000' }] }], ['field.0.children.0.text characters']],
    [
      [{ _type: 'block', deep: nested(63) }],
      [`field.0.deep.${Array.from({ length: 62 }, () => '0').join('.')} depth`],
    ],
  ])('rejects %j', (value, found) => {
    expect(checkValue({ type }, value).found).toEqual(found);
  });
});

describe('unbound reference value', () => {
  const one = { type: 'reference' } as const;
  const many = { type: 'reference', options: { allowMultiple: true } } as const;

  test('is one entry id', () => {
    expect(checkValue(one, '01H')).toMatchObject({ value: '01H', found: [], references: [] });
  });

  test.each<[unknown, unknown]>([
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
    ['a', ['a']],
    [[], []],
  ])('with allowMultiple accepts %j, stored as %j', (value, stored) => {
    expect(checkValue(many, value)).toMatchObject({ value: stored, found: [] });
  });

  test.each<[Partial<FieldDefinition>, unknown, string[]]>([
    [one, ['a'], ['field type']],
    [one, 5, ['field type']],
    [one, 'a\u0000', ['field characters']],
    [many, 5, ['field type']],
    [many, ['a', 5, ''], ['field.1 type', 'field.2 required']],
    [many, ['a', 'b', 'a'], ['field.2 duplicate']],
    [{ ...many, required: true }, [], ['field required']],
    [many, Array.from({ length: 1001 }, (_, n) => `id${n}`), ['field max_items']],
  ])('of %j rejects %j', (parts, value, found) => {
    expect(checkValue(parts, value).found).toEqual(found);
  });

  test('accepts 1000 ids', () => {
    expect(
      checkValue(
        many,
        Array.from({ length: 1000 }, (_, n) => `id${n}`),
      ).found,
    ).toEqual([]);
  });

  test('of a field with a collection is returned for the look-up by the caller', () => {
    const options = { collection: 'authors', allowMultiple: true };
    expect(checkValue({ ...many, options }, ['a', 'b']).references).toEqual([
      { path: 'field', collection: 'authors', ids: ['a', 'b'] },
    ]);
    expect(checkValue({ ...one, options: { collection: 'authors' } }, 'a').references).toEqual([
      { path: 'field', collection: 'authors', ids: ['a'] },
    ]);
    expect(checkValue({ ...many, options }, ['a', 'a']).references).toEqual([]);
  });
});

describe('repeater value', () => {
  const subFields: NonNullable<FieldDefinition['validation']>['subFields'] = [
    { slug: 'label', label: 'Label', type: 'string', required: true },
    { slug: 'url', label: 'URL', type: 'url' },
    { slug: 'at', label: 'At', type: 'datetime' },
    { slug: 'size', label: 'Size', type: 'select', options: ['s', 'm'] },
    { slug: 'count', label: 'Count', type: 'integer' },
    { slug: 'on', label: 'On', type: 'boolean' },
    { slug: 'photo', label: 'Photo', type: 'image' },
    { slug: 'constructor', label: 'C', type: 'text' },
  ];
  const repeater = (limits = {}): Partial<FieldDefinition> => ({
    type: 'repeater',
    validation: { subFields, ...limits },
  });

  test('is validated and normalised by its sub-fields', () => {
    const result = checkValue(repeater(), [
      {
        label: 'a',
        url: '/x',
        at: '2025-01-24T13:00+01:00',
        size: 's',
        count: 1,
        on: false,
        photo: 'https://a.example/i.png',
      },
      { label: 'b', url: null, on: 1, constructor: 'c' },
    ]);
    expect(result.found).toEqual([]);
    expect(result.value).toEqual([
      {
        label: 'a',
        url: '/x',
        at: '2025-01-24T12:00:00.000Z',
        size: 's',
        count: 1,
        on: false,
        photo: { provider: 'external', id: '', src: 'https://a.example/i.png' },
      },
      { label: 'b', url: null, on: true, constructor: 'c' },
    ]);
    expect(result.media.map(({ path }) => path)).toEqual(['field.0.photo']);
  });

  test.each<[Partial<FieldDefinition>, unknown, string[]]>([
    [repeater(), 'x', ['field type']],
    [repeater(), {}, ['field type']],
    [repeater(), ['x', { label: 'a' }, null], ['field.0 type', 'field.2 type']],
    [repeater(), [{}], ['field.0.label required']],
    [repeater(), [{ label: '' }], ['field.0.label required']],
    [repeater(), [{ label: null }], ['field.0.label required']],
    [
      repeater(),
      [{ label: 'a', extra: 1, _key: 'x' }],
      ['field.0.extra unknown_field', 'field.0._key unknown_field'],
    ],
    [
      repeater(),
      [{ label: 'a' }, { label: 'b', url: 'x', at: 'x', size: 'l' }],
      ['field.1.url url', 'field.1.at datetime', 'field.1.size option'],
    ],
    [
      repeater(),
      [{ label: 'a', count: '1', on: '1', photo: 5 }],
      ['field.0.count type', 'field.0.on type', 'field.0.photo type'],
    ],
    [repeater({ minItems: 1 }), [], ['field min_items']],
    [repeater({ maxItems: 1 }), [{ label: 'a' }, { label: 'b' }], ['field max_items']],
    [repeater(), [JSON.parse('{"label":"a","__proto__":{"x":1}}')], ['field.0.__proto__ unknown_field']],
  ])('of %j rejects %j', (parts, value, found) => {
    expect(checkValue(parts, value).found).toEqual(found);
  });

  test('accepts exactly minItems and maxItems rows', () => {
    expect(checkValue(repeater({ minItems: 1, maxItems: 1 }), [{ label: 'a' }]).found).toEqual([]);
  });

  test('of a stored draft loses values of deleted sub-fields on publishing', () => {
    const result = checkValue(repeater(), [{ label: 'a', gone: 1 }], { mode: 'publish' });
    expect(result).toMatchObject({ value: [{ label: 'a' }], found: [] });
    expect(result.value).not.toHaveProperty('0.gone');
  });
});
