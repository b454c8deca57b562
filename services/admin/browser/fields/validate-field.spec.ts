import { describe, expect, it } from '@jest/globals';
import type { Field } from '../api/bootstrap.js';
import type { Translate } from '../locales/messages.js';
import { problemsOf } from './field-problems.js';
import { validateField, validateSlug } from './validate-field.js';

const fieldOf = (type: Field['type'], validation: Field['validation'] = null, more: Partial<Field> = {}) =>
  ({
    slug: 'f',
    label: 'F',
    type,
    required: false,
    validation,
    options: null,
    indexed: false,
    defaultValue: null,
    collectionId: 'c',
    ...more,
  }) as Field;
const codes = (field: Field, value: unknown) => validateField(field, value).map(({ code }) => code);

describe('a value is valid by the rules of the server', () => {
  it.each<[string, Field, unknown]>([
    ['a text', fieldOf('string', { maxLength: 3 }), 'abc'],
    ['a text in capitals', fieldOf('string', { pattern: '^[A-Z]+$' }), 'ABC'],
    ['a link', fieldOf('url'), 'https://example.org'],
    ['a number', fieldOf('number', { min: 0, max: 2 }), 1.5],
    ['a whole number', fieldOf('integer'), 3],
    ['a boolean', fieldOf('boolean'), false],
    ['a time', fieldOf('datetime'), '2026-12-09T07:00:00.000Z'],
    ['a choice', fieldOf('select', { options: ['a'] }), 'a'],
    ['choices', fieldOf('multiSelect', { options: ['a', 'b'] }), ['b']],
    ['nothing', fieldOf('number', { min: 1 }), null],
    ['what only the server can judge', fieldOf('image'), { mediaId: 'none' }],
  ])('%s', (_, field, value) => {
    expect(validateField(field, value)).toEqual([]);
  });

  it.each<[string, Field, unknown, string]>([
    ['a long text', fieldOf('string', { maxLength: 3 }), 'abcd', 'max_length'],
    [
      'a long text of an indexed field',
      fieldOf('string', null, { indexed: true }),
      'ä'.repeat(1400),
      'max_length',
    ],
    ['a short text', fieldOf('text', { minLength: 3 }), 'ab', 'min_length'],
    ['a text of another form', fieldOf('string', { pattern: '^[A-Z]+$' }), 'abc', 'pattern'],
    ['a script as link', fieldOf('url'), 'javascript:alert(1)', 'url'],
    ['a text as number', fieldOf('number'), '12 apples', 'type'],
    ['a decimal as whole number', fieldOf('integer'), 1.5, 'type'],
    ['a small number', fieldOf('number', { min: 0 }), -1, 'min'],
    ['a large number', fieldOf('number', { max: 2 }), 3, 'max'],
    ['no time', fieldOf('datetime'), 'soon', 'datetime'],
    ['another choice', fieldOf('select', { options: ['a'] }), 'b', 'option'],
    ['one other choice of several', fieldOf('multiSelect', { options: ['a'] }), ['a', 'b'], 'option'],
  ])('not %s', (_, field, value, code) => {
    expect(codes(field, value)).toEqual([code]);
  });

  it('a pattern that the browser does not know is left to the server', () => {
    expect(validateField(fieldOf('string', { pattern: '(?P<name>' }), 'x')).toEqual([]);
  });

  it('a slug without slashes', () => {
    expect(validateSlug('@slug', 'fine')).toEqual([]);
    expect(validateSlug('@slug', null)).toEqual([]);
    expect(validateSlug('@slug', 'a/b')).toMatchObject([{ code: 'slug', path: '@slug' }]);
  });
});

describe('problems in words', () => {
  const t: Translate = (key, values = {}) => [key, ...Object.values(values)].join(' ');
  const words = (field: Field, ...issues: Parameters<typeof problemsOf>[2]) => problemsOf(t, field, issues);

  it('name the limit of the field', () => {
    expect(words(fieldOf('string', { maxLength: 3 }), { path: 'f', code: 'max_length' })).toEqual([
      'issue.maxLength 3',
    ]);
  });

  it('use the words of the server where the limit is not one of the field, and for unknown reasons', () => {
    const message = 'must have at most 2600 bytes';
    expect(words(fieldOf('string'), { path: 'f', code: 'max_length', message })).toEqual([
      `issue.server ${message}`,
    ]);
    expect(words(fieldOf('string'), { path: 'f', code: 'new_code', message: 'is odd' })).toEqual([
      'issue.server is odd',
    ]);
    expect(words(fieldOf('string'), { path: 'f' })).toEqual(['issue.other']);
  });

  it('say once what is wrong with several items', () => {
    const issue = { code: 'option', message: 'x' };
    expect(words(fieldOf('multiSelect'), { ...issue, path: 'f.0' }, { ...issue, path: 'f.1' })).toEqual([
      'issue.option',
    ]);
  });

  it('tell numbers from whole numbers', () => {
    expect(words(fieldOf('integer'), { path: 'f', code: 'type' })).toEqual(['issue.integer']);
    expect(words(fieldOf('number'), { path: 'f', code: 'type' })).toEqual(['issue.number']);
  });
});
