import { describe, expect, it } from '@jest/globals';
import type { FieldDefinition, FieldType, FieldValidation } from '../index.js';
import { hasSearchText, searchText } from './search-text.js';

const field = (
  type: FieldType,
  validation: FieldValidation | null = null,
): Pick<FieldDefinition, 'type' | 'validation'> => ({
  type,
  validation,
});
const span = (text: string) => ({ _type: 'span', _key: 'hidden', text, marks: ['hidden'] });
const richText = (...blocks: unknown[]) => searchText(field('portableText'), blocks);

describe('searchText of plain values', () => {
  it.each(['string', 'text', 'url', 'slug', 'select'] as const)(
    'returns the value itself for a %s field',
    (type) => {
      expect(searchText(field(type), 'A value')).toBe('A value');
    },
  );

  it('returns all choices of a multiSelect field', () => {
    expect(searchText(field('multiSelect'), ['Red wine', 'White wine'])).toBe('Red wine\nWhite wine');
  });

  it('returns the alternative text of an image', () => {
    expect(searchText(field('image'), { provider: 'local', id: 'hidden', alt: 'A bridge' })).toBe('A bridge');
  });

  it.each([
    ['number', 4],
    ['integer', 4],
    ['boolean', true],
    ['datetime', '2025-01-01T00:00:00.000Z'],
    ['json', { text: 'x' }],
    ['file', { id: 'x', filename: 'x' }],
    ['reference', 'x'],
    ['blocks', [{ _type: 'x', text: 'x' }]],
  ] as const)('are none in a %s field', (type, value) => {
    expect([searchText(field(type), value), hasSearchText(field(type))]).toEqual(['', false]);
  });
});

describe('searchText of rich text', () => {
  it('joins the spans of a block, so that a partly bold word stays one word', () => {
    const block = { _type: 'block', children: [span('un'), span('likely'), span(' friends')] };
    expect(richText(block, { _type: 'block', children: [span('Next')] })).toBe('unlikely friends\nNext');
  });

  it('returns captions, alternatives, code, quotations and table cells too', () => {
    const text = richText(
      { _type: 'image', asset: { url: 'hidden', title: 'hidden' }, alt: 'A dog', caption: 'In the park' },
      { _type: 'code', code: 'print(1)', language: 'hidden' },
      { _type: 'pullquote', text: 'So it goes', citation: 'Kurt' },
      { _type: 'table', rows: [{ cells: [{ content: [span('Left')] }, { content: [span('Right')] }] }] },
      { _type: 'columns', columns: [{ content: [{ _type: 'block', children: [span('Deep')] }] }] },
    );
    expect(text.split('\n')).toEqual([
      'A dog',
      'In the park',
      'print(1)',
      'So it goes',
      'Kurt',
      'Left',
      'Right',
      'Deep',
    ]);
  });

  it('excludes keys, types, styles, marks and addresses', () => {
    const markDefs = [{ _type: 'link', _key: 'hidden', href: 'https://hidden.example', title: 'hidden' }];
    const block = { _type: 'block', _key: 'hidden', style: 'hidden', markDefs, children: [span('Seen')] };
    expect(richText(block, { _type: 'embed', url: 'https://hidden.example', provider: 'hidden' })).toBe(
      'Seen',
    );
  });

  it('reads HTML without tags, scripts and styles', () => {
    const html =
      '<p class="hidden">Salt &amp; <b>pepper</b></p><script>hidden()</script><style>hidden{}</style>';
    expect(richText({ _type: 'htmlBlock', html }).replace(/\s+/g, ' ')).toBe('Salt & pepper');
  });
});

describe('searchText of a repeater', () => {
  const rows = field('repeater', {
    subFields: [
      { slug: 'name', label: 'Name', type: 'string' },
      { slug: 'amount', label: 'Amount', type: 'integer' },
      { slug: 'unit', label: 'Unit', type: 'select', options: ['gram'] },
    ],
  });

  it('returns its text sub-fields, row by row', () => {
    const value = [{ name: 'Flour', amount: 5, unit: 'gram', other: 'hidden' }, { name: 'Salt' }];
    expect(searchText(rows, value)).toBe('Flour\ngram\nSalt');
  });

  it('is empty without such a sub-field', () => {
    const numbers = field('repeater', { subFields: [{ slug: 'amount', label: 'Amount', type: 'integer' }] });
    expect([hasSearchText(rows), hasSearchText(numbers), hasSearchText(field('repeater'))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('searchText of unexpected stored values', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'end' : { content: [nested(depth - 1)] });
  const odd: unknown[] = [null, undefined, 7, true, '', [], {}, [null], [[['x']]], { alt: 4 }, nested(5_000)];

  it.each(['string', 'multiSelect', 'image', 'portableText', 'repeater'] as const)(
    'returns nothing for a %s field, and never throws',
    (type) => {
      const validation =
        type === 'repeater' ? { subFields: [{ slug: 'a', label: 'A', type: 'text' as const }] } : null;
      expect(odd.map((value) => searchText(field(type, validation), value))).toEqual(odd.map(() => ''));
    },
  );

  it('truncates long values', () => {
    expect(searchText(field('text'), 'x'.repeat(200_000))).toHaveLength(100_000);
  });
});
