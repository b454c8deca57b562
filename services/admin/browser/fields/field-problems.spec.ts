import { describe, expect, it } from '@jest/globals';
import { maxIndexedBytes } from '@quire/content-model';
import type { Translate } from '../locales/messages.js';
import { testField } from './field.fixture.js';
import { problemsOf } from './field-problems.js';
import { validateField } from './validate-field.js';

/** The key and the values: which sentences there are is checked by the types. */
const t: Translate = (key, values = {}) =>
  [key, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join(' ');
const at = (code: string, more: object = {}) => [{ code, path: 'value', ...more }];

describe('problemsOf', () => {
  it.each([
    ['required', {}, 'issue.required'],
    ['min_length', { minLength: 3 }, 'issue.minLength limit=3'],
    ['max_length', { maxLength: 9 }, 'issue.maxLength limit=9'],
    ['pattern', { pattern: 'a' }, 'issue.pattern'],
    ['min', { min: 0 }, 'issue.min limit=0'],
    ['max', { max: 2.5 }, 'issue.max limit=2.5'],
    ['min_items', { minItems: 1 }, 'issue.minItems limit=1'],
    ['max_items', { maxItems: 1 }, 'issue.maxItems limit=1'],
    ['option', {}, 'issue.option'],
    ['url', {}, 'issue.url'],
    ['datetime', {}, 'issue.datetime'],
    ['characters', {}, 'issue.characters'],
    ['type', {}, 'issue.type'],
    ['taken', {}, 'issue.taken'],
    ['unknown_field', {}, 'issue.unknownField'],
  ])('has a sentence for %s', (code, validation, sentence) => {
    expect(problemsOf(t, testField('string', { validation }), at(code))).toEqual([sentence]);
  });

  it('names what a number is not', () => {
    expect(problemsOf(t, testField('number'), at('type'))).toEqual(['issue.number']);
    expect(problemsOf(t, testField('integer'), at('type'))).toEqual(['issue.integer']);
  });

  it('has the words of the server for other reasons, and for limits that the field does not have', () => {
    const message = 'is odd';
    expect(problemsOf(t, testField('string'), at('mime', { message }))).toEqual([
      'issue.server message=is odd',
    ]);
    expect(problemsOf(t, testField('string'), at('max_length', { message }))).toEqual([
      'issue.server message=is odd',
    ]);
    expect(problemsOf(t, testField('string'), [{ path: 'value' }])).toEqual(['issue.other']);
  });

  it('names the limit of the index, not that of the field, for a text that is too long for it', () => {
    const field = testField('string', { indexed: true, validation: { maxLength: 5000 } });
    const issues = validateField(field, 'x'.repeat(maxIndexedBytes + 1));
    expect(problemsOf(t, field, issues)).toEqual([`issue.maxBytes limit=${maxIndexedBytes}`]);
  });

  it('says each thing once', () => {
    const field = testField('multiSelect', { validation: { options: ['a'] } });
    expect(problemsOf(t, field, validateField(field, ['b', 'c']))).toEqual(['issue.option']);
  });

  it('names the row and the column of a repeater', () => {
    const subFields = [{ slug: 'pages', label: 'Pages', type: 'integer' }];
    const field = testField('repeater', { validation: { subFields, maxItems: 3 } });
    expect(problemsOf(t, field, [{ code: 'type', path: 'value.1.pages' }])).toEqual([
      'issue.inRow row=2 name=Pages problem=issue.integer',
    ]);
    expect(problemsOf(t, field, at('max_items'))).toEqual(['issue.maxItems limit=3']);
  });
});
