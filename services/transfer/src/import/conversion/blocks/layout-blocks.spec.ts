import { describe, expect, it } from '@jest/globals';
import { convertContent } from '../convert-content.js';
import {
  block,
  convert,
  emptyContext,
  image,
  item,
  paragraph,
  pageBreak,
  rule,
} from '../testing/expected-blocks.fixture.js';

const p = (text: string): string => block('paragraph', `<p>${text}</p>`);
const columns = (...contents: object[][]) => ({
  _type: 'columns',
  columns: contents.map((content) => ({ _type: 'column', content })),
});

describe('columns', () => {
  it('keep what is beside the columns in front of them', () => {
    const source = block('columns', `<div>loose ${block('column', p('a'))}${block('column', '')}</div>`);
    expect(convert(source)).toEqual([paragraph('loose'), columns([paragraph('a')], [])]);
  });

  it('of the old form are elements', () => {
    const column = (text: string) => `<div class="wp-block-column"><p>${text}</p></div>`;
    expect(convert(block('text-columns', `<div>${column('a')}${column('b')}</div>`))).toEqual([
      columns([paragraph('a')], [paragraph('b')]),
    ]);
  });

  it('that are too deep have their content in place', () => {
    const nested = Array.from({ length: 8 }).reduce<string>(
      (inner) => block('columns', block('column', inner)),
      p('deep'),
    );
    const text = JSON.stringify(convert(nested));
    expect(text.match(/"_type":"columns"/g)).toHaveLength(6);
    expect(text).toContain('"text":"deep"');
  });
});

describe('media beside text', () => {
  const content = `<div class="wp-block-media-text__content">${p('t')}</div>`;
  const figure = (media: string) => `<figure class="wp-block-media-text__media">${media}</figure>`;

  it('is in the first column', () => {
    const html = `<div>${figure('<a href="/x"><img src="/m.png" alt=""></a>')}${content}</div>`;
    expect(convert(block('media-text', html, { mediaId: 6 }))).toEqual([
      columns([image('6', '/m.png', { alt: '', link: '/x' })], [paragraph('t')]),
    ]);
  });

  it('is in the second column where its position is right', () => {
    const html = `<div>${content}${figure('<video src="/v.mp4"></video>')}</div>`;
    expect(convert(block('media-text', html, { mediaPosition: 'right' }))).toEqual([
      columns([paragraph('t')], [{ _type: 'embed', url: '/v.mp4', provider: 'video' }]),
    ]);
  });
});

describe('covers', () => {
  it('of the old form have their image in a style', () => {
    const html = '<div class="wp-block-cover" style="background-image:url(/b.jpg)"><p>T</p></div>';
    const attributes = { minHeight: 50, minHeightUnit: 'vh', customOverlayColor: '#123456', align: 'full' };
    expect(convert(block('cover', html, attributes))).toEqual([
      {
        ...{ _type: 'cover', backgroundImage: '/b.jpg', overlayColor: '#123456', minHeight: '50vh' },
        ...{ alignment: 'full', content: [paragraph('T')] },
      },
    ]);
  });

  it('may have a video', () => {
    const html =
      '<div><video class="wp-block-cover__video-background" src="/v.mp4"></video><div>x</div></div>';
    expect(convert(block('cover', html, { dimRatio: 0 }))).toEqual([
      { _type: 'cover', backgroundVideo: '/v.mp4', overlayOpacity: 0, content: [paragraph('x')] },
    ]);
  });
});

describe('cover images', () => {
  it('keep their alternative text', () => {
    const html =
      '<div class="wp-block-cover"><img class="wp-block-cover__image-background" alt="Hills" src="/b.jpg"/></div>';
    expect(convert(block('cover', html))).toEqual([
      { _type: 'cover', backgroundImage: '/b.jpg', alt: 'Hills', content: [] },
    ]);
  });
});

describe('buttons', () => {
  it('without text have the name for screen readers', () => {
    const html = '<div><a href="/x" aria-label="Search"><i class="icon"></i></a></div>';
    expect(convert(block('button', html))).toMatchObject([{ buttons: [{ text: 'Search', url: '/x' }] }]);
  });

  it('without a safe address have none', () => {
    const button = block('button', '<div><a href="javascript:x">A <b>b</b></a></div>', {
      className: 'is-style-fill',
    });
    expect(
      convert(block('buttons', `<div>${button}</div>`, { layout: { orientation: 'vertical' } })),
    ).toEqual([
      { _type: 'buttons', buttons: [{ _type: 'button', text: 'A b', style: 'fill' }], layout: 'vertical' },
    ]);
  });

  it('outside of a group are a group', () => {
    expect(convert(block('button', '<div><a href="/x">A</a></div>'))).toEqual([
      {
        ...{ _type: 'buttons', layout: 'horizontal' },
        buttons: [{ _type: 'button', text: 'A', url: '/x', style: 'default' }],
      },
    ]);
  });
});

describe('breaks', () => {
  it('need no HTML, and spacers are nothing', () => {
    const source = `<!-- wp:separator /--><!-- wp:nextpage /-->${block('spacer', '<div></div>')}`;
    expect(convert(source)).toEqual([rule, pageBreak]);
  });

  it('keep the label of the link to the rest', () => {
    expect(convert(block('more', '<!--more Go on-->', { customText: 'Go on' }))).toEqual([
      { _type: 'break', style: 'readMore', text: 'Go on' },
    ]);
  });
});

describe('footnotes', () => {
  const notes = JSON.stringify([
    { id: 'a', content: 'A <em>note</em>' },
    { id: 'b', content: 'Second' },
  ]);
  const source = `${p('text')}<!-- wp:footnotes /-->${p('end')}`;

  it('are a numbered list behind the body', () => {
    const { blocks } = convertContent(source, { ...emptyContext, footnotes: notes });
    expect(convert(source, { footnotes: notes })).toEqual([
      paragraph('text'),
      paragraph('end'),
      item('number', 1, 'A ', { _type: 'span', text: 'note', marks: ['em'] }),
      item('number', 1, 'Second'),
    ]);
    expect(new Set(blocks.map(({ _key }) => _key)).size).toBe(4);
  });

  it('that are not readable keep their source', () => {
    expect(convert(p('text'), { footnotes: '[{"content":"A "note""}]' })).toEqual([
      paragraph('text'),
      { _type: 'htmlBlock', html: '[{"content":"A "note""}]', originalBlockName: 'core/footnotes' },
    ]);
    expect(convert(p('text'), { footnotes: ' ' })).toEqual([paragraph('text')]);
  });

  it('leave out characters that cannot be stored', () => {
    expect(convert('', { footnotes: '[{"content":"a\\u0000b\\ud800"}]' })).toEqual([
      item('number', 1, 'ab\ufffd'),
    ]);
  });
});
