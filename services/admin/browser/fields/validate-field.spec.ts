import { describe, expect, it } from '@jest/globals';
import { maxIndexedBytes } from '@quire/content-model';
import type { Field } from '../api/bootstrap.js';
import { testField } from './field.fixture.js';
import { validateField, validateSlug } from './validate-field.js';

type Case = [type: Field['type'], value: unknown, codes: string[], field?: Partial<Field>];
const rules = (validation: Record<string, unknown>): Partial<Field> => ({ validation });
const options = rules({ options: ['a', 'b'] });
const between = rules({ min: 0, max: 10 });

const cases: Case[] = [
  ['string', 'a text', []],
  ['string', 5, ['type']],
  ['string', 'four', ['min_length'], rules({ minLength: 5 })],
  ['string', 'too long', ['max_length'], rules({ maxLength: 7 })],
  ['string', '\u{1f600}', ['max_length'], rules({ maxLength: 1 })],
  ['string', 'AB', ['pattern'], rules({ pattern: '^[a-z]+$' })],
  ['string', 'ab', [], rules({ pattern: '^[a-z]+$' })],
  ['string', 'a\u0000', ['characters']],
  ['string', 'x'.repeat(maxIndexedBytes + 1), ['max_length'], { indexed: true }],
  ['text', 'two\nlines', []],
  ['text', 'too long', ['max_length'], rules({ maxLength: 7 })],
  ['text', 'AB', ['pattern'], rules({ pattern: '^[a-z]+$' })],
  ['url', 'https://example.org/', []],
  ['url', '/path', []],
  ['url', 'javascript:alert(1)', ['url']],
  ['url', 'no link', ['url']],
  ['slug', 'Any Text', []],
  ['slug', 'too-long', ['max_length'], rules({ maxLength: 7 })],
  ['number', 12.5, []],
  ['number', '12 apples', ['type']],
  ['number', '12', ['type']],
  ['number', -1, ['min'], between],
  ['number', 10.5, ['max'], between],
  ['integer', 7, []],
  ['integer', 7.5, ['type']],
  ['integer', 'seven', ['type']],
  ['integer', 2 ** 53, ['type']],
  ['integer', 11, ['max'], between],
  ['boolean', false, []],
  ['boolean', 'yes', ['type']],
  ['datetime', '2026-12-08T23:00:00.000Z', []],
  ['datetime', 'soon', ['datetime']],
  ['datetime', '2026-12-09T08:00', ['datetime']],
  ['select', 'a', [], options],
  ['select', 'c', ['option'], options],
  ['select', 'any text', []],
  ['multiSelect', ['a', 'b'], [], options],
  ['multiSelect', ['a', 'c'], ['option'], options],
  ['multiSelect', ['any', 'text'], []],
  ['multiSelect', 'a', ['type'], options],
  ['multiSelect', [], ['required'], { ...options, required: true }],
];

describe('validateField', () => {
  it.each(cases)('%s %j has the issues %j', (type, value, codes, field = {}) => {
    expect(validateField(testField(type, field), value).map(({ code }) => code)).toEqual(codes);
  });

  it.each([...new Set(cases.map(([type]) => type))])('%s may be empty unless it is required', (type) => {
    expect(validateField(testField(type), null)).toEqual([]);
    const issue = { code: 'required', path: 'value', message: 'is required' };
    expect(validateField(testField(type, { required: true }), null)).toEqual([issue]);
    expect(validateField(testField(type, rules({ required: true })), null)).toEqual([issue]);
  });

  it('names the place of an issue in a list', () => {
    const [issue] = validateField(testField('multiSelect', options), ['a', 'c']);
    expect(issue?.path).toBe('value.1');
  });

  it('leaves to the server what needs the library, other entries or block types', () => {
    for (const type of ['image', 'file', 'reference', 'portableText', 'blocks'] as const)
      expect(validateField(testField(type), 'junk')).toEqual([]);
  });

  it('leaves a field to the server whose rules it cannot read', () => {
    expect(validateField(testField('string', rules({ pattern: '(' })), 'text')).toEqual([]);
  });
});

it('accepts slugs that can be in a path', () => {
  expect(validateSlug('@slug', 'fine')).toEqual([]);
  expect(validateSlug('@slug', null)).toEqual([]);
  expect(validateSlug('@slug', 'a/b')).toMatchObject([{ code: 'slug', path: '@slug' }]);
});
