import { describe, expect, it } from '@jest/globals';
import { fromMarkdown, markdownInput, markdownProblem, toMarkdown } from './index.js';

const span = (text: string, ...marks: string[]) => ({ _type: 'span', text, marks });
const text = (children: unknown, more: object = {}) => ({
  _type: 'block',
  style: 'normal',
  children: Array.isArray(children) ? (children as unknown[]) : [span(String(children))],
  markDefs: [],
  ...more,
});
const item = (words: string, listItem: string, level = 1) => text(words, { listItem, level });
const link = (more: object = {}) => ({
  _type: 'link',
  _key: 'l0',
  href: 'https://a.example/(x) y?b="c"&d',
  ...more,
});

/** Keys are positions: they do not belong to the content. */
function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (typeof value !== 'object' || value === null) return value;
  const { _key, ...rest } = value as Record<string, unknown>;
  return Object.fromEntries([
    ...Object.entries(rest).map(([name, each]) => [name, withoutKeys(each)]),
    ...(rest['_type'] === 'link' ? [['_key', _key]] : []),
  ]);
}
const read = (markdown: string) => withoutKeys(fromMarkdown(markdown));
const roundTrip = (blocks: unknown[]) => read(toMarkdown(blocks));

describe('fromMarkdown', () => {
  it('makes blocks of headings, quotations, lists, code and rules', () => {
    const markdown = [
      '## Title',
      'one\ntwo  \nthree',
      '> said\n>\n> again',
      '- a\n  1. b\n- c',
      '```js\nlet a;\n```',
      '***',
    ];
    expect(read(markdown.join('\n\n'))).toEqual([
      text('Title', { style: 'h2' }),
      text('one two\nthree'),
      text('said', { style: 'blockquote' }),
      text('again', { style: 'blockquote' }),
      item('a', 'bullet'),
      item('b', 'number', 2),
      item('c', 'bullet'),
      { _type: 'code', language: 'js', code: 'let a;' },
      { _type: 'break', style: 'lineBreak' },
    ]);
  });

  it('makes marks and links, and one target of equal links', () => {
    const markdown = '**a _b_** ~~c~~ `d` [e](/x "t") [f](/x "t") [g]\n\n[g]: /g';
    expect(read(markdown)).toEqual([
      text(
        [
          span('a ', 'strong'),
          span('b', 'strong', 'em'),
          span(' '),
          span('c', 'strike-through'),
          span(' '),
          span('d', 'code'),
          span(' '),
          span('e', 'l0'),
          span(' '),
          span('f', 'l0'),
          span(' '),
          span('g', 'l1'),
        ],
        {
          markDefs: [
            { _type: 'link', _key: 'l0', href: '/x', title: 't' },
            { _type: 'link', _key: 'l1', href: '/g' },
          ],
        },
      ),
    ]);
  });

  it('makes an image block of an image, also inside a text', () => {
    const image = { _type: 'image', asset: { _type: 'reference', _ref: '/a.png', url: '/a.png' }, alt: 'A' };
    expect(read('before ![A](/a.png) after')).toEqual([text('before '), image, text(' after')]);
    expect(read('![A](/a.png "words")')).toEqual([{ ...image, caption: 'words' }]);
  });

  it.each([
    ['inline HTML', 'a <b>bold</b> <script>x</script>', 'a <b>bold</b> <script>x</script>'],
    ['a task', '- [ ] task', '[ ] task'],
    ['a footnote', 'a[^1]\n\n[^1]: a note', '[^1]: a note'],
    ['an unused target', 'a\n\n[b]: /c "d"', '[b]: /c "d"'],
    ['a link without a text', '[](/address)', '/address'],
    ['an image in a cell', '| a |\n|-|\n| x ![y](/z) |', 'y'],
    ['a second paragraph of an item', '- a\n\n  second [link](/u)\n\n  third', 'third'],
    ['a block of HTML', '<div>\nwords\n</div>', '<div>\\nwords\\n</div>'],
    ['the information of code', '```js title=words\n```', 'title=words'],
    ['a block comment that is not JSON', '<!-- block {words} -->', 'words'],
    ['a block comment with __proto__', '<!-- block {"_type":"x","__proto__":{}} -->', '<!-- block'],
  ])('keeps the words of %s', (_, markdown, words) => {
    expect(JSON.stringify(fromMarkdown(markdown))).toContain(
      JSON.stringify(words).slice(1, -1).replaceAll('\\\\', '\\'),
    );
  });

  it('gives all blocks different keys, the same each time; blocks of comments keep theirs', () => {
    const keys = fromMarkdown('a\n\nb\n\n<!-- block {"_type":"x","_key":"k0"} -->').map(({ _key }) => _key);
    expect(keys).toEqual(['k0_', 'k1', 'k0']);
  });
});

describe('markdownProblem', () => {
  it.each([
    ['a long text', 'a'.repeat(100_001)],
    ['many marks in a paragraph', '*a_ '.repeat(600)],
    ['many marks in the lines of a paragraph', '*a_\n'.repeat(600)],
    ['nested quotations', '> '.repeat(1_001)],
    ['lines that do not end a paragraph', '*a_\n* \n2. b\n    - c\n'.repeat(400)],
  ])('names the limit for %s', (_, markdown) => {
    expect(markdownProblem(markdown)).toMatch(/must have at most/);
  });

  it.each([
    ['short paragraphs', '**a** _b_ [c](d)\n\n'.repeat(1_000)],
    ['a long list', '- **a** _b_ [c](d)\n'.repeat(1_000)],
  ])('has none for %s', (_, markdown) => {
    expect(markdownProblem(markdown)).toBeUndefined();
  });
});

describe('markdownInput', () => {
  it('limits all texts of a write together, each counted once', () => {
    const parse = markdownInput();
    const [first, second] = ['a'.repeat(60_000), 'b'.repeat(60_000)];
    expect([first, first, second].map((each) => Object.keys(parse(each)))).toEqual([
      ['blocks'],
      ['blocks'],
      ['problem'],
    ]);
  });
});

describe('toMarkdown, then fromMarkdown', () => {
  it.each([
    '1. not a list',
    '# no heading',
    '- * + > | ~~x~~ _y_ **z** `c`',
    '<b>html</b> <!-- x --> &amp; &#38;',
    '[a](b) ![c](d) [e] \\ [f]: g',
    '---',
    '    four spaces',
    ' spaces around ',
    'a\nb',
    'a\n\n# b\n---\n- c',
    '```\ncode\n```',
    'http://example.com www.example.com a@b.example',
    'snake_case_word 2*3*4 a**b',
    '<!-- block {"_type":"x"} -->',
    '| a | b |\n|---|---|',
    '龜 \u{1F600} é',
    '=\n=',
    'a\\\nb\\',
  ])('returns the text %j', (words) => {
    expect(roundTrip([text(words)])).toEqual([text(words)]);
  });

  it.each([
    ['styles', [1, 2, 3, 4, 5, 6].map((depth) => text('Words # of', { style: `h${depth}` }))],
    ['quotations', [text('a', { style: 'blockquote' }), text('- b', { style: 'blockquote' }), text('c')]],
    [
      'lists',
      [
        item('a', 'bullet'),
        item('b', 'number', 2),
        item('c', 'number', 2),
        item('d\ne', 'bullet', 3),
        item('f', 'bullet'),
        item('g', 'number'),
        text('h', { listItem: 'number', level: 1, style: 'h3' }),
        item('', 'bullet'),
        text('end'),
      ],
    ],
    [
      'marks',
      [
        text([
          span('a', 'strong'),
          span(' b ', 'strong', 'em'),
          span('c'),
          span('d ', 'strike-through'),
          span('e`f', 'code'),
          span('g', 'underline'),
          span('h', 'superscript', 'strong'),
          span('i', 'subscript'),
        ]),
      ],
    ],
    ['a link', [text([span('words', 'l0'), span(' after')], { markDefs: [link()] })]],
    ['a link with a title', [text([span('words', 'l0')], { markDefs: [link({ title: 'A "title"' })] })]],
    ['a link in a new window', [text([span('words', 'l0')], { markDefs: [link({ blank: true })] })]],
    [
      'code',
      [
        { _type: 'code', language: 'c++', code: 'a\n```\n\tb\n~~~' },
        { _type: 'code', code: '' },
      ],
    ],
    [
      'a rule',
      [
        { _type: 'break', style: 'lineBreak' },
        { _type: 'break', style: 'readMore' },
      ],
    ],
    [
      'an image',
      [
        { _type: 'image', asset: { _type: 'reference', _ref: '/a b.png', url: '/a b.png' }, alt: '' },
        {
          _type: 'image',
          asset: { _type: 'reference', _ref: '01MEDIA', url: '/a.png' },
          alt: 'In the library',
        },
      ],
    ],
    [
      'HTML',
      [
        { _type: 'htmlBlock', html: '<div>\n<p>a</p>\n</div>' },
        { _type: 'htmlBlock', html: '<p>a\n\nb</p> -->' },
      ],
    ],
    [
      'blocks of other types',
      [
        { _type: 'gallery', images: [{ alt: 'a -- b --> c' }] },
        { _type: 'embed', url: '/' },
      ],
    ],
    ['text with unknown marks', [text([span('a', 'highlight')])]],
    ['text with an object inside', [text([span('a'), { _type: 'emoji', name: 'x' }])]],
    [
      'a table',
      [
        {
          _type: 'table',
          rows: ['H|1', 'a'].map((words, row) => ({
            _type: 'tableRow',
            cells: [words, ''].map((cell) => ({
              _type: 'tableCell',
              content: cell === '' ? [span('')] : [span(cell, 'strong')],
              ...(row === 0 ? { isHeader: true } : {}),
            })),
          })),
          hasHeaderRow: true,
        },
      ],
    ],
  ])('returns %s', (_, blocks) => {
    expect(roundTrip(blocks)).toEqual(blocks);
  });

  it('leaves out empty paragraphs', () => {
    expect(toMarkdown([text(''), text('a'), text('\n')])).toBe('a');
  });

  it('writes plain Markdown for plain blocks', () => {
    const blocks = [
      text('Title', { style: 'h2' }),
      item('a', 'bullet'),
      item('b', 'bullet'),
      text([span('c', 'em')]),
    ];
    expect(toMarkdown(blocks)).toBe('## Title\n\n- a\n- b\n\n_c_');
  });
});
