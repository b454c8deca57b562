import { describe, expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import { asset, block, listItem, span, upload, useEdgeCases } from './edge-cases-support.js';

const cases = useEdgeCases(useSite());

describe('text of an imported entry (contract 3.1 to 3.3)', () => {
  it('E01: blank lines of classic text separate paragraphs, a single newline stays in the text', () => {
    expect(cases.content('E01')).toEqual([
      block('First meadow paragraph.'),
      block('Second paragraph,\nsecond line.'),
      block('Third.'),
    ]);
    expect(cases.warnings('E01')).toEqual([]);
  });

  it('E02: shortcodes become images, a gallery, embeds and breaks; unknown ones stay in the text', () => {
    const large = upload('one.jpg');
    expect(cases.content('E02')).toEqual([
      block('Intro.'),
      {
        _type: 'image',
        asset: asset('1901', upload('one-300x200.jpg')),
        alt: 'One & only',
        caption: 'A caption',
        alignment: 'left',
        link: large,
      },
      {
        _type: 'image',
        asset: asset('1901', large),
        alt: '',
        caption: 'Old style',
        alignment: 'right',
      },
      {
        _type: 'gallery',
        columns: 2,
        images: [
          { _type: 'image', asset: asset('1901', large), alt: 'Stored alt' },
          { _type: 'image', asset: asset('1902', upload('two.png')) },
        ],
      },
      { _type: 'embed', url: 'https://video.example/watch?v=1&t=2' },
      { _type: 'embed', url: 'https://video.example/watch?v=2' },
      block('Before more'),
      { _type: 'break', style: 'readMore' },
      block('after more'),
      { _type: 'break', style: 'pageBreak' },
      block('Page two [gallery] stays literal. [vendor_form id="9"]'),
    ]);
  });

  it('E03: inline elements become marks, safe links become definitions, unsafe ones leave their text', () => {
    const content = cases.entry('E03').data.content as {
      markDefs: { _key: string; href: string; blank?: boolean }[];
      children: { text: string; marks: string[] }[];
    }[];
    expect(content).toHaveLength(1);
    const [{ markDefs, children } = { markDefs: [], children: [] }] = content;
    expect(markDefs.map(({ _key, ...link }) => link)).toEqual([
      { _type: 'link', href: 'https://a.example/?q=1&r=2', blank: true },
      { _type: 'link', href: '/in' },
      { _type: 'link', href: '#frag' },
    ]);
    const hrefOf = (mark: string) => markDefs.find(({ _key }) => _key === mark)?.href ?? mark;
    const marked = children.map(({ text, marks }) => [text, ...marks.map(hrefOf)]);
    expect(marked).toEqual([
      ['A '],
      ['bc', 'strong'],
      [' '],
      ['de', 'em'],
      [' '],
      ['f', 'underline'],
      [' '],
      ['gh', 'strike-through'],
      [' '],
      ['i < j', 'code'],
      [' x'],
      ['2', 'superscript'],
      [' y'],
      ['1', 'subscript'],
      [' '],
      ['out', 'https://a.example/?q=1&r=2'],
      [' '],
      ['in', '/in'],
      [' '],
      ['frag', '#frag'],
      [' bad pr m s\nafter break '],
      ['both', 'strong', 'em'],
    ]);
    expect(cases.warnings('E03')).toEqual([
      ['URL_UNSAFE', expect.stringContaining('javascript:alert(1)')],
      ['URL_UNSAFE', expect.stringContaining('//evil.example/x')],
    ]);
  });

  it('E04: headings keep their levels; one without a level is of the second', () => {
    expect(cases.content('E04')).toEqual(
      [1, 2, 3, 4, 5, 6].map((level) => block(`H${level} text`, { style: `h${level}` })),
    );
  });

  it('E05: nested lists of both forms have one block for each item with its level', () => {
    expect(cases.content('E05')).toEqual([
      listItem('bullet', 1, 'one'),
      listItem('bullet', 1, 'two'),
      listItem('number', 2, 'two-a'),
      listItem('number', 2, 'two-b'),
      listItem('bullet', 1, 'three'),
      listItem('number', 1, 'old one'),
      listItem('bullet', 2, 'old nested'),
      listItem('number', 1, 'old two'),
    ]);
  });

  it('E06: quotes of both forms keep all paragraphs and their citation; a pullquote joins its paragraphs', () => {
    const quote = { style: 'blockquote' };
    expect(cases.content('E06')).toEqual([
      block('Inner one', quote),
      block([span('Inner '), span('two', 'strong')], quote),
      block('— Someone'),
      block('Old style', quote),
      block('— Old cite'),
      { _type: 'pullquote', text: 'Pulled one\nPulled two', citation: 'Puller' },
    ]);
  });

  it('E11: code keeps its white space and has its entities decoded once', () => {
    expect(cases.content('E11')).toEqual([
      { _type: 'code', code: 'if (a < b && c) {\n\t$x = "<p>";  [shortcode]\n}', language: 'php' },
      { _type: 'code', code: '  keep   spaces\n\tand tabs' },
      { _type: 'code', code: 'line one\n  line two', language: 'text' },
    ]);
  });

  it('E15: broken attributes and unclosed blocks lose no text', () => {
    expect(cases.content('E15')).toEqual([block('bad json'), block('never closed'), block('loose text')]);
    expect(cases.entry('E15').status).toBe('published');
  });

  it('E16: classic HTML between blocks is converted in its place', () => {
    expect(cases.content('E16')).toEqual([
      block('one'),
      block([span('Free '), span('form', 'em')]),
      listItem('bullet', 1, 'loose item'),
      block('two'),
    ]);
  });

  it('E30: a body with "]]>" is whole, and an HTML excerpt becomes text', () => {
    expect(cases.content('E30')).toEqual([block('a ]]> b')]);
    expect(cases.entry('E30').data.excerpt).toBe('Ex & cerpt');
  });

  it('every block has a key that is unique in its list', () => {
    for (const { data } of cases.entries) {
      const keys = (data.content as { _key: string }[]).map(({ _key }) => _key);
      expect(keys.filter((key) => typeof key !== 'string' || key === '')).toEqual([]);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
