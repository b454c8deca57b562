import { describe, expect, it } from '@jest/globals';
import {
  block,
  convert,
  image,
  item,
  linked,
  paragraph,
  span,
  text,
  warningsOf,
} from '../testing/expected-blocks.fixture.js';

describe('paragraphs and headings', () => {
  it('are nothing without text', () => {
    expect(convert(block('paragraph', '<p></p>') + block('heading', '<h2> </h2>', { level: 2 }))).toEqual([]);
  });

  it('join the lines of the source, and keep spaces that do not break', () => {
    expect(convert(block('paragraph', '<p>one\n  two&nbsp; three &amp;amp; <br> four</p>'))).toEqual([
      paragraph('one two\u00a0 three &amp;\nfour'),
    ]);
  });

  it('have nested marks from the outside in, each once', () => {
    const html = '<p><em>a<strong>b<b>c</b></strong></em></p>';
    expect(convert(block('paragraph', html))).toEqual([
      paragraph(span('a', 'em'), span('bc', 'em', 'strong')),
    ]);
  });

  it('define a link once for each target and window', () => {
    const a = (target = '') => `<a href="https://a.example/"${target}>x</a>`;
    const blank = ' target="_blank"';
    const href = 'https://a.example/';
    expect(convert(block('paragraph', `<p>${a()} ${a(blank)} ${a()}</p>`))).toEqual([
      linked(
        [{ href }, { href, blank: true }],
        ...[span('x', 'l0'), ' ', span('x', 'l1'), ' ', span('x', 'l0')],
      ),
    ]);
  });

  it.each([
    ['https://old.example', 'http://www.old.example/a?b=c#d', '/a?b=c#d'],
    ['https://www.old.example/', 'https://old.example', '/'],
    ['https://old.example', 'https://old.example//other.example', 'https://old.example//other.example'],
    ['https://old.example/blog', 'https://old.example/blog/a', '/blog/a'],
    ['https://old.example/blog', 'https://old.example/shop', 'https://old.example/shop'],
    ['https://old.example', 'https://old.example.evil.example/a', 'https://old.example.evil.example/a'],
    ['http:', 'http://old.example/a', 'http://old.example/a'],
  ])('of the site %s link %s as %s', (siteUrl, address, href) => {
    const source = block('paragraph', `<p><a href="${address}">x</a></p>`);
    expect(convert(source, { siteUrl })).toEqual([linked([{ href }], span('x', 'l0'))]);
  });

  it.each([
    'javascript:x',
    'java&#10;script:x',
    '//a.example',
    '/\\a.example',
    'data:text/html,x',
    '?q=1',
    'ftp://a',
  ])('keep the text of a link to %s, with a warning', (href) => {
    const source = block('paragraph', `<p>a <a href="${href}">b</a></p>`);
    expect(convert(source)).toEqual([paragraph('a b')]);
    expect(warningsOf(source)).toMatchObject([{ code: 'URL_UNSAFE' }]);
  });

  it.each([
    ['<a href="/x" aria-label="Home"></a>', 'Home'],
    ['<a href="/x" title="Home"><i class="icon"></i></a>', 'Home'],
    ['<a href="/x"><span aria-label="Home" class="icon"> </span></a>', 'Home'],
    ['<a href="/x" aria-label="Home" title="t">shown</a>', 'shown'],
  ])('name the link %s %j', (html, name) => {
    expect(convert(block('paragraph', `<p>${html} b</p>`))).toEqual([
      linked([{ href: '/x' }], span(name, 'l0'), ' b'),
    ]);
  });

  it('keep the source of a link around a drawing', () => {
    const html = '<a href="/x" aria-label="Home"><svg><title>Home</title></svg></a>';
    expect(convert(block('paragraph', `<p>a ${html} b</p>`))).toEqual([
      paragraph('a'),
      { _type: 'htmlBlock', html },
      paragraph('b'),
    ]);
  });

  it('show the characters of images of emoji', () => {
    const html = '<p>a <img class="emoji" alt="🙂" src="/e.svg"> b</p>';
    expect(convert(block('paragraph', html))).toEqual([paragraph('a 🙂 b')]);
  });
});

describe('lists', () => {
  it('keep further paragraphs of an item as lines of it', () => {
    expect(convert(block('list', '<ul><li>a<p>b</p>c<br>d</li></ul>'))).toEqual([
      item('bullet', 1, 'a\nb\nc\nd'),
    ]);
  });

  it('keep empty items, and the text behind a nested list', () => {
    const html = '<ol><li></li><li><ul><li>n</li></ul></li><li>x<ul><li>y</li></ul>z</li></ol>';
    expect(convert(block('list', html, { ordered: true }))).toEqual([
      item('number', 1, ''),
      item('number', 1, ''),
      item('bullet', 2, 'n'),
      item('number', 1, 'x'),
      item('bullet', 2, 'y'),
      item('number', 1, 'z'),
    ]);
  });

  it('keep what is no item', () => {
    expect(convert('<ul>stray<li>a</li><ul><li>deep</li></ul></ul>')).toEqual([
      item('bullet', 1, 'stray'),
      item('bullet', 1, 'a'),
      item('bullet', 2, 'deep'),
    ]);
  });
});

describe('quotes', () => {
  it('keep lists and quotes inside', () => {
    const list = block('list', `<ul>${block('list-item', '<li>in</li>')}</ul>`);
    const inner = block(
      'quote',
      `<blockquote>${block('paragraph', '<p>deep</p>')}<cite>N</cite></blockquote>`,
    );
    expect(convert(block('quote', `<blockquote>${list}${inner}</blockquote>`))).toEqual([
      item('bullet', 1, 'in'),
      text('blockquote', 'deep'),
      paragraph('— N'),
    ]);
  });

  it('keep a cited title inside a sentence, and the marks of the source', () => {
    const html = '<blockquote><p>In <cite>Book</cite> of 1990.</p><cite><em>Who</em></cite></blockquote>';
    expect(convert(block('quote', html))).toEqual([
      text('blockquote', 'In Book of 1990.'),
      paragraph('— ', span('Who', 'em')),
    ]);
  });

  it('have their footer as their source, with the cited title in it', () => {
    const html = '<blockquote><p>Q</p><footer>— <cite>Title</cite>, 1990</footer></blockquote>';
    expect(convert(html)).toEqual([text('blockquote', 'Q'), paragraph('— Title, 1990')]);
  });

  it('of a pull have the addresses of links', () => {
    const html =
      '<figure><blockquote><p><a href="/a">x</a> y</p><cite><a href="/b">z</a></cite></blockquote></figure>';
    expect(convert(block('pullquote', html))).toEqual([
      { _type: 'pullquote', text: 'x (/a) y', citation: 'z (/b)' },
    ]);
  });

  it('of a pull keep its lines', () => {
    const html = '<figure><blockquote><p>a<br>b</p><p>c</p></blockquote></figure>';
    expect(convert(block('pullquote', html))).toEqual([{ _type: 'pullquote', text: 'a\nb\nc' }]);
  });
});

describe('code', () => {
  it.each([
    [{ language: 'go' }, '<pre><code class="language-js">x</code></pre>', 'go'],
    [{}, '<pre><code class="language-js">x</code></pre>', 'js'],
    [{}, '<pre class="lang-css"><code>x</code></pre>', 'css'],
    [{}, '<pre><code lang="php">x</code></pre>', 'php'],
  ])('with %j in %s is of the language %s', (attributes, html, language) => {
    expect(convert(block('code', html, attributes))).toEqual([{ _type: 'code', code: 'x', language }]);
  });

  it('is followed by what is no text in it', () => {
    const html = '<pre>a <img src="/i.png" alt="I"> b<script>x()</script></pre>';
    expect(convert(html)).toEqual([
      { _type: 'code', code: 'a  b' },
      image('/i.png', '/i.png', { alt: 'I' }),
      { _type: 'htmlBlock', html: '<script>x()</script>' },
    ]);
  });

  it('keeps breaks and drops tags', () => {
    const html = '<pre class="wp-block-verse">a<br><em>b</em>\n\tc</pre>';
    expect(convert(block('verse', html))).toEqual([{ _type: 'code', code: 'a\nb\n\tc', language: 'text' }]);
  });
});

describe('wrappers', () => {
  it('put their own text and their blocks in their place', () => {
    const inner = block('paragraph', '<p>body</p>');
    expect(convert(block('details', `<details><summary>Sum</summary>${inner}</details>`))).toEqual([
      paragraph('Sum'),
      paragraph('body'),
    ]);
  });

  it('of an accordion have no sign in the heading', () => {
    const title =
      '<span class="t">Title</span><span class="wp-block-accordion-heading__toggle-icon">+</span>';
    expect(convert(block('accordion-heading', `<h3><button>${title}</button></h3>`))).toEqual([
      text('h3', 'Title'),
    ]);
  });
});
