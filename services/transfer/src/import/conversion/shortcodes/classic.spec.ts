import { describe, expect, it } from '@jest/globals';
import {
  block,
  convert,
  image,
  item,
  linked,
  pageBreak,
  paragraph,
  rule,
  span,
  text,
} from '../testing/expected-blocks.fixture.js';

const attachments = [
  { id: 5, url: 'https://old.example/a.jpg', alt: 'A', caption: 'Cap' },
  { id: 6, url: 'https://old.example/b.jpg' },
  { id: 7, url: 'https://old.example/s.mp3', mimeType: 'audio/mpeg', title: 'Song' },
];
const context = {
  attachment: (id: number) => attachments.find((each) => each.id === id),
  childAttachments: () => attachments,
};
const images = [
  image('5', 'https://old.example/a.jpg', { alt: 'A', caption: 'Cap' }),
  image('6', 'https://old.example/b.jpg'),
];
const embed = (url: string, properties: object = {}) => ({ _type: 'embed', url, ...properties });
const shortcode = (html: string) => ({ _type: 'htmlBlock', html, originalBlockName: 'core/shortcode' });

describe('classic text', () => {
  it('has paragraphs between blank lines, also with CRLF and spaces', () => {
    expect(convert('one\r\ntwo\r\n \t\r\nthree\n\n\n\nfour')).toEqual([
      paragraph('one\ntwo'),
      paragraph('three'),
      paragraph('four'),
    ]);
  });

  it('has a single break where the source has both a line end and an element', () => {
    expect(convert('a<br />\nb\n<br>c<br><br>d')).toEqual([paragraph('a\nb\nc\n\nd')]);
  });

  it('keeps marks across paragraphs', () => {
    expect(convert('x <b>y\n\nz</b>')).toEqual([
      paragraph('x ', span('y', 'strong')),
      paragraph(span('z', 'strong')),
    ]);
  });

  it('has elements of blocks by themselves', () => {
    const source =
      'a\n<h2>H\n</h2>b<hr>c<div>d\ne</div>\n<pre class="language-js">\n\tx &lt; 1\n\n y</pre><ul>\n<li>i\n</li>\n</ul>';
    expect(convert(source)).toEqual([
      paragraph('a'),
      text('h2', 'H'),
      paragraph('b'),
      rule,
      paragraph('c'),
      paragraph('d\ne'),
      { _type: 'code', code: '\tx < 1\n\n y', language: 'js' },
      item('bullet', 1, 'i'),
    ]);
  });

  it('has paragraphs and lists in quotes', () => {
    expect(convert('<blockquote>one\n\ntwo\n<ul><li>i</li></ul><cite>Who</cite></blockquote>')).toEqual([
      text('blockquote', 'one'),
      text('blockquote', 'two'),
      item('bullet', 1, 'i'),
      paragraph('— Who'),
    ]);
  });

  it('has breaks at comments, and no other comments', () => {
    expect(convert('a<!-- x --> b<!--nextpage-->c')).toEqual([paragraph('a b'), pageBreak, paragraph('c')]);
  });

  it('keeps the source of scripts, styles and forms', () => {
    const html = ['<style>p{}</style>', '<script>a<b</script>', '<form><input>Send</form>'];
    expect(convert(html.join(''))).toEqual(html.map((each) => ({ _type: 'htmlBlock', html: each })));
  });

  it('keeps tags and comments that do not end as text', () => {
    expect(convert('one <a href="x and more')).toEqual([paragraph('one <a href="x and more')]);
    expect(convert('one <!-- and more')).toEqual([paragraph('one <!-- and more')]);
  });

  it('has embeds of frames and objects, by their address', () => {
    const source =
      '<iframe src="//www.youtube.com/embed/x"></iframe><iframe src="javascript:1"></iframe>' +
      '<object><param name="movie" value="https://vimeo.com/1"></object>';
    expect(convert(source)).toEqual([
      embed('https://www.youtube.com/embed/x', { provider: 'youtube' }),
      { _type: 'htmlBlock', html: '<iframe src="javascript:1"></iframe>' },
      embed('https://vimeo.com/1', { provider: 'vimeo' }),
    ]);
  });

  it('has captions of figures, and of divisions that themes made figures', () => {
    const caption = '<p class="wp-caption-text">cap <b>x</b></p>';
    const source = `<div class="wp-caption alignleft"><img src="/i.png">${caption}</div><figure><p>t</p><figcaption>c</figcaption></figure>`;
    expect(convert(source)).toEqual([
      image('/i.png', '/i.png', { alignment: 'left', caption: 'cap x' }),
      paragraph('t'),
      paragraph('c'),
    ]);
  });
});

describe('tables', () => {
  it('have lines for blocks in cells, and links for images', () => {
    const cells = '<td rowspan="2">a<p>b</p>c</td><td><img src="/x.png" alt="pic"></td><td></td>';
    const cell = (content: object[], properties = {}) => ({ _type: 'tableCell', content, ...properties });
    const markDefs = [{ _type: 'link', _key: 'l0', href: '/x.png' }];
    expect(convert(`<table><caption>Cap</caption><tr>${cells}</tr></table><table></table>`)).toEqual([
      {
        _type: 'table',
        rows: [
          {
            _type: 'tableRow',
            cells: [
              cell([span('a\nb\nc')], { rowspan: 2 }),
              cell([span('pic', 'l0')], { markDefs }),
              cell([span('')]),
            ],
          },
        ],
        hasHeaderRow: false,
        caption: 'Cap',
      },
    ]);
  });

  it('without text are nothing', () => {
    const cell = '<td></td>';
    expect(convert(`<table><tr>${cell}${cell}</tr></table>`)).toEqual([]);
    expect(convert(`<table><caption>A <b>b</b></caption><tr>${cell}</tr></table>`)).toEqual([
      paragraph('A ', span('b', 'strong')),
    ]);
  });

  it('are followed by the blocks in their cells that are no text', () => {
    const blocks = convert(
      '<table><tr><td>[gallery ids="5,6"]</td><td><script>x</script>t</td></tr></table>',
      context,
    );
    expect(blocks.slice(1)).toEqual([
      { _type: 'gallery', images },
      { _type: 'htmlBlock', html: '<script>x</script>' },
    ]);
  });
});

describe('shortcodes', () => {
  it.each([
    [`[caption id="attachment_6" align="aligncenter" caption='It&amp;s']<img src="/a.jpg">[/caption]`],
    ['[wp_caption id=attachment_6 align=aligncenter]<img src="/a.jpg"> It&amp;s[/wp_caption]'],
    ['[caption id=“attachment_6” align="aligncenter"]<img src="/a.jpg" /><br />\nIt&amp;s[/caption]'],
  ])('%s is an image with a caption', (source) => {
    expect(convert(source, context)).toEqual([
      image('6', '/a.jpg', { alignment: 'center', caption: 'It&s' }),
    ]);
  });

  it('of galleries have the images of ids or of the item', () => {
    expect(convert('[gallery ids="5,9,6" columns=2]', context)).toEqual([
      { _type: 'gallery', images, columns: 2 },
    ]);
    expect(convert('[gallery]', context)).toEqual([{ _type: 'gallery', images }]);
    expect(convert('[gallery exclude="5"]', context)).toEqual([
      { _type: 'gallery', images: images.slice(1) },
    ]);
  });

  it('of galleries without known images stay', () => {
    expect(convert('[gallery ids="9"]\n\nsee [gallery id="3"] here', context)).toEqual([
      shortcode('[gallery ids="9"]'),
      paragraph('see [gallery id="3"] here'),
    ]);
  });

  it('of players and playlists are embeds', () => {
    const source = '[audio /a.mp3]\n[video mp4="/v.mp4" poster="/p.jpg"][/video]\n[playlist ids="7"]';
    expect(convert(source, context)).toEqual([
      embed('/a.mp3', { provider: 'audio' }),
      embed('/v.mp4', { provider: 'video', poster: '/p.jpg' }),
      embed('https://old.example/s.mp3', { provider: 'audio', caption: 'Song' }),
    ]);
  });

  it('that are unknown are kept: lines of them as their source, others in the text', () => {
    expect(convert('[row][column width="1/2"]\ntext [foo]\n[/column][/row]\n<p>[bar a=1]</p>')).toEqual([
      shortcode('[row][column width="1/2"]'),
      paragraph('text [foo]'),
      shortcode('[/column][/row]'),
      shortcode('[bar a=1]'),
    ]);
  });

  it('in double brackets, in attributes and in preformatted text are text', () => {
    const source =
      '[[gallery]]\n<code>[[x a="1"]]</code> <a href="/?a=[gallery]">y</a><pre>[[x]] [gallery]</pre>';
    expect(convert(source, context)).toEqual([
      linked([{ href: '/?a=[gallery]' }], '[gallery]\n', span('[x a="1"]', 'code'), ' ', span('y', 'l0')),
      { _type: 'code', code: '[[x]] [gallery]' },
    ]);
  });

  it('of blocks are converted or kept whole', () => {
    expect(convert(block('shortcode', '[gallery ids="5,6"]'), context)).toEqual([
      { _type: 'gallery', images },
    ]);
    expect(convert(block('shortcode', '[a]\nx\n[/a]'), context)).toEqual([shortcode('[a]\nx\n[/a]')]);
  });
});

describe('addresses', () => {
  it('on lines of their own are embeds, except in links and lists', () => {
    const address = 'https://www.youtube.com/watch?v=1&amp;t=2';
    const source = `see <b>x</b>\n${address}\nthen <a href="/y">\nhttps://b.example/x\n</a><ul><li>https://c.example/</li></ul>`;
    expect(convert(source)).toEqual([
      paragraph('see ', span('x', 'strong')),
      embed('https://www.youtube.com/watch?v=1&t=2', { provider: 'youtube' }),
      linked([{ href: '/y' }], 'then\n', span('https://b.example/x', 'l0')),
      item('bullet', 1, 'https://c.example/'),
    ]);
  });

  it('inside a line are text', () => {
    expect(convert('see https://a.example/ there')).toEqual([paragraph('see https://a.example/ there')]);
  });
});
