import { describe, expect, it } from '@jest/globals';
import { convertContent } from './convert-content.js';
import { edgeCases } from './testing/exported-items.fixture.js';
import * as expected from './testing/expected-blocks.fixture.js';

const { image, item, linked, pageBreak, paragraph, readMore, rule, span, text } = expected;
const uploads = 'https://old.example/wp-content/uploads/2024/05';

const edgeCase = await edgeCases();

function converted(number: string) {
  const { item: source, context } = edgeCase(number);
  const result = convertContent(source.content, context);
  return { ...result, blocks: expected.withoutKeys(result.blocks) };
}

describe('bodies of the edge cases', () => {
  it('E01: separates paragraphs at blank lines, and breaks the line at a single line end', () => {
    expect(converted('E01').blocks).toEqual([
      paragraph('First meadow paragraph.'),
      paragraph('Second paragraph,\nsecond line.'),
      paragraph('Third.'),
    ]);
  });

  it('E02: converts shortcodes, addresses and breaks of classic text', () => {
    const { blocks, mediaReferences } = converted('E02');
    const link = `${uploads}/one.jpg`;
    expect(blocks).toEqual([
      paragraph('Intro.'),
      image('1901', `${uploads}/one-300x200.jpg`, {
        alt: 'One & only',
        caption: 'A caption',
        alignment: 'left',
        link,
      }),
      image('1901', link, { alt: '', caption: 'Old style', alignment: 'right' }),
      { _type: 'gallery', images: [image('1901', link), image('1902', `${uploads}/two.png`)], columns: 2 },
      { _type: 'embed', url: 'https://video.example/watch?v=1&t=2' },
      { _type: 'embed', url: 'https://video.example/watch?v=2' },
      paragraph('Before more'),
      readMore,
      paragraph('after more'),
      pageBreak,
      paragraph('Page two [gallery] stays literal. [vendor_form id="9"]'),
    ]);
    expect(mediaReferences).toBe(4);
  });

  it('E03: converts inline elements to marks, and drops unsafe links with a warning', () => {
    const { blocks, warnings } = converted('E03');
    const links = [{ href: 'https://a.example/?q=1&r=2', blank: true }, { href: '/in' }, { href: '#frag' }];
    expect(blocks).toEqual([
      linked(
        links,
        ...['A ', span('bc', 'strong'), ' ', span('de', 'em'), ' ', span('f', 'underline'), ' '],
        ...[span('gh', 'strike-through'), ' ', span('i < j', 'code'), ' x', span('2', 'superscript'), ' y'],
        ...[span('1', 'subscript'), ' ', span('out', 'l0'), ' ', span('in', 'l1'), ' ', span('frag', 'l2')],
        ...[' bad pr m s\nafter break ', span('both', 'strong', 'em')],
      ),
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['URL_UNSAFE', 'URL_UNSAFE']);
  });

  it('E04: takes the level of headings from the attribute, 2 without one', () => {
    expect(converted('E04').blocks).toEqual(
      [1, 2, 3, 4, 5, 6].map((level) => text(`h${level}`, `H${level} text`)),
    );
  });

  it('E05: converts new and old lists to items with levels', () => {
    expect(converted('E05').blocks).toEqual([
      item('bullet', 1, 'one'),
      item('bullet', 1, 'two'),
      item('number', 2, 'two-a'),
      item('number', 2, 'two-b'),
      item('bullet', 1, 'three'),
      item('number', 1, 'old one'),
      item('bullet', 2, 'old nested'),
      item('number', 1, 'old two'),
    ]);
  });

  it('E06: keeps paragraphs and sources of quotes', () => {
    expect(converted('E06').blocks).toEqual([
      text('blockquote', 'Inner one'),
      text('blockquote', 'Inner ', span('two', 'strong')),
      paragraph('— Someone'),
      text('blockquote', 'Old style'),
      paragraph('— Old cite'),
      { _type: 'pullquote', text: 'Pulled one\nPulled two', citation: 'Puller' },
    ]);
  });

  it('E07: converts images and both forms of galleries', () => {
    const one = `${uploads}/one.jpg`;
    expect(converted('E07').blocks).toEqual([
      image('1901', `${uploads}/one-1024x683.jpg`, {
        ...{ alt: 'Alt "q"', caption: 'Cap x', alignment: 'right', link: one },
      }),
      {
        _type: 'gallery',
        images: [image('1901', one, { alt: 'g1' }), image('1902', `${uploads}/two.png?w=640`, { alt: '' })],
        columns: 3,
      },
      {
        _type: 'gallery',
        images: [
          image('1901', one, { alt: 'old', caption: 'old cap' }),
          image('1902', '//old.example/wp-content/uploads/2024/05/two.png', { alt: '' }),
        ],
        columns: 2,
      },
    ]);
  });

  it('E08: takes the address of a button from its HTML', () => {
    const buttons = [
      { _type: 'button', text: 'Go now', url: 'https://a.example/go', style: 'default' },
      { _type: 'button', text: 'No link', style: 'outline' },
    ];
    expect(converted('E08').blocks).toEqual([{ _type: 'buttons', buttons, layout: 'horizontal' }]);
  });

  it('E09: keeps head, foot, spans and caption of a table', () => {
    const cell = (content: object[], properties = {}) => ({ _type: 'tableCell', content, ...properties });
    const row = (...cells: object[]) => ({ _type: 'tableRow', cells });
    const head = { isHeader: true };
    const markDefs = [{ _type: 'link', _key: 'l0', href: '/x' }];
    expect(converted('E09').blocks).toEqual([
      {
        _type: 'table',
        rows: [
          row(cell([span('A')], head), cell([span('B')], head)),
          row(cell([span('1 '), span('b', 'strong')]), cell([span('x', 'l0')], { markDefs })),
          row(cell([span('wide')], { colspan: 2 })),
          row(cell([span('F1')]), cell([span('F2')])),
        ],
        hasHeaderRow: true,
        caption: 'Table caption',
      },
    ]);
  });

  it('E10: converts layouts and breaks', () => {
    const columns = (...contents: object[][]) => ({
      _type: 'columns',
      columns: contents.map((content) => ({ _type: 'column', content })),
    });
    expect(converted('E10').blocks).toEqual([
      columns([paragraph('left')], [paragraph('right')]),
      paragraph('grouped'),
      columns([image('1901', `${uploads}/one-1024x683.jpg`, { alt: 'mt' })], [paragraph('beside')]),
      {
        ...{ _type: 'cover', backgroundImage: `${uploads}/one.jpg`, overlayOpacity: 0.5, minHeight: '300px' },
        content: [paragraph('over')],
      },
      rule,
      readMore,
      pageBreak,
    ]);
  });

  it('E11: keeps the white space of code, and decodes its entities once', () => {
    expect(converted('E11').blocks).toEqual([
      { _type: 'code', code: 'if (a < b && c) {\n\t$x = "<p>";  [shortcode]\n}', language: 'php' },
      { _type: 'code', code: '  keep   spaces\n\tand tabs' },
      { _type: 'code', code: 'line one\n  line two', language: 'text' },
    ]);
  });

  it('E12: converts embeds, players and files', () => {
    expect(converted('E12').blocks).toEqual([
      { _type: 'embed', url: 'https://video.example/v?a=1&b=2', provider: 'tube', caption: 'clip' },
      { _type: 'embed', url: 'https://micro.example/s/1', provider: 'twitter' },
      { _type: 'embed', url: `${uploads}/clip.mp4`, provider: 'video' },
      { _type: 'embed', url: `${uploads}/a.mp3`, provider: 'audio' },
      { _type: 'file', url: `${uploads}/doc.pdf`, filename: 'The document', showDownloadButton: true },
    ]);
  });

  it('E13: keeps raw HTML, shortcodes and unknown blocks as their source', () => {
    const { blocks, warnings } = converted('E13');
    const source = (html: string, originalBlockName: string, originalAttrs?: object) => ({
      ...{ _type: 'htmlBlock', html, originalBlockName },
      ...(originalAttrs ? { originalAttrs } : {}),
    });
    expect(blocks).toEqual([
      source('<div onclick="x()"><script>alert(1)</script>raw</div>', 'core/html'),
      source('[vendor_form id="3"]', 'core/shortcode'),
      source('<!-- wp:vendor/chart {"kind":"bar","data":[1,2,3]} /-->', 'vendor/chart', {
        kind: 'bar',
        data: [1, 2, 3],
      }),
      paragraph('inside box'),
      paragraph('own text'),
      source('<!-- wp:latest-posts {"postsToShow":3} /-->', 'core/latest-posts', { postsToShow: 3 }),
    ]);
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "BLOCK_UNKNOWN The block 'vendor/chart' has no equivalent.",
      "BLOCK_UNKNOWN The block 'vendor/box' has no equivalent. Its attributes are left out: tone.",
      "BLOCK_UNKNOWN The block 'core/latest-posts' has no equivalent.",
    ]);
  });

  it('E14: refers to the section of a reusable block, and keeps an unknown reference', () => {
    const { blocks, warnings } = converted('E14');
    expect(blocks).toEqual([
      paragraph('before'),
      { _type: 'section', slug: 'section-1903' },
      {
        ...{ _type: 'htmlBlock', html: '<!-- wp:block {"ref":1999} /-->' },
        ...{ originalBlockName: 'core/block', originalAttrs: { ref: 1999 } },
      },
      paragraph('after'),
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['SECTION_MISSING']);
  });

  it('E15: keeps the text of broken and unclosed blocks', () => {
    expect(converted('E15').blocks).toEqual([
      paragraph('bad json'),
      paragraph('never closed'),
      paragraph('loose text'),
    ]);
  });

  it('E16: converts classic HTML between blocks', () => {
    expect(converted('E16').blocks).toEqual([
      paragraph('one'),
      paragraph('Free ', span('form', 'em')),
      item('bullet', 1, 'loose item'),
      paragraph('two'),
    ]);
  });

  it('E29: keeps text from right to left', () => {
    expect(converted('E29').blocks).toEqual([
      paragraph('مرحبا بالعالم هذا نص تجريبي لاختبار الاستيراد من اليمين إلى اليسار'),
    ]);
  });

  it('E30: keeps the end mark of a CDATA section in the text', () => {
    expect(converted('E30').blocks).toEqual([paragraph('a ]]> b')]);
  });

  it('E42: makes links to pages of the source root-relative; files and raw HTML keep their addresses', () => {
    const { blocks } = converted('E42');
    const [links, html] = blocks as [{ markDefs: { href: string }[] }, { html: string }];
    expect(links.markDefs.map(({ href }) => href)).toEqual([
      '/e01-1/',
      '/e03-1/?x=1#y',
      `${uploads}/doc.pdf`,
      'https://other.example/',
    ]);
    expect(html.html).toContain(`srcset="${uploads}/one-300x200.jpg 300w, ${uploads}/one.jpg 1200w"`);
  });
});
