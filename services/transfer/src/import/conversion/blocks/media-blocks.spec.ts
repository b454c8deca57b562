import { describe, expect, it } from '@jest/globals';
import { convertContent } from '../convert-content.js';
import {
  block,
  convert,
  emptyContext,
  image,
  linked,
  paragraph,
  span,
  warningsOf,
} from '../testing/expected-blocks.fixture.js';

const attachments = [
  { id: 5, url: 'https://old.example/a.jpg', alt: 'A', caption: 'Cap' },
  { id: 6, url: 'https://old.example/b.jpg' },
];
const context = { attachment: (id: number) => attachments.find((each) => each.id === id) };
const embed = (url: string, properties: object = {}) => ({ _type: 'embed', url, ...properties });

describe('images', () => {
  it('refer to the media library, the attachment or the address', () => {
    const html =
      '<p><img src="/1.png" class="wp-image-6"><img src="/2.png" class="wp-image-7"><img src="/3.png"></p>';
    expect(convert(block('paragraph', html), context)).toEqual([
      image('6', '/1.png'),
      image('7', '/2.png'),
      image('/3.png', '/3.png'),
    ]);
  });

  it('inside a text divide it', () => {
    const html = '<p>with <a href="/x">a <img src="/i.png" alt="I" class="alignright"> b</a></p>';
    const links = [{ href: '/x' }];
    expect(convert(block('paragraph', html))).toEqual([
      linked(links, 'with ', span('a', 'l0')),
      image('/i.png', '/i.png', { alt: 'I', alignment: 'right', link: '/x' }),
      linked(links, span('b', 'l0')),
    ]);
  });

  it('take the id and the alignment of their block', () => {
    const html =
      '<div class="wp-block-image"><figure class="aligncenter"><img src="/i.png" alt=""/></figure></div>';
    expect(convert(block('image', html, { id: 7 }))).toEqual([
      image('7', '/i.png', { alt: '', alignment: 'center' }),
    ]);
    expect(convert(block('image', '<figure><img src="/i.png"/></figure>', { align: 'wide' }))).toEqual([
      image('/i.png', '/i.png', { alignment: 'wide' }),
    ]);
  });

  it('without HTML are those of the attachment', () => {
    expect(convert(block('image', '', { id: 5 }), context)).toEqual([
      image('5', 'https://old.example/a.jpg', { alt: 'A', caption: 'Cap' }),
    ]);
  });

  it('that scripts load later have their own address', () => {
    const html = '<img src="data:image/gif;base64,x" data-src="/late.png" alt="">';
    expect(convert(block('image', html))).toEqual([image('/late.png', '/late.png', { alt: '' })]);
  });

  it('with an unsafe address keep their source', () => {
    const source = '<img src="data:image/png;base64,x" alt="d"/>';
    expect(convert(block('image', `<figure>${source}</figure>`))).toEqual([
      { _type: 'htmlBlock', html: source },
    ]);
    expect(warningsOf(block('image', source))).toMatchObject([{ code: 'URL_UNSAFE' }]);
  });
});

describe('galleries', () => {
  it('of inner image blocks have captions of images and of the whole', () => {
    const inner = (n: number) =>
      block('image', `<figure><img src="/${n}.jpg"/><figcaption>c${n}</figcaption></figure>`, { id: n });
    const html = `<figure class="columns-default">${inner(1)}${inner(2)}<figcaption>All</figcaption></figure>`;
    const images = [image('1', '/1.jpg', { caption: 'c1' }), image('2', '/2.jpg', { caption: 'c2' })];
    expect(convert(block('gallery', html))).toEqual([{ _type: 'gallery', images, caption: 'All' }]);
  });

  it('of a list have captions and ids', () => {
    const item =
      '<li><figure><img src="/a.jpg" data-id="5" alt=""><figcaption>one</figcaption></figure></li>';
    const images = [image('5', '/a.jpg', { alt: '', caption: 'one' })];
    expect(convert(block('gallery', `<ul class="wp-block-gallery columns-2">${item}</ul>`))).toEqual([
      { _type: 'gallery', images, columns: 2 },
    ]);
  });

  it('of ids only show the attachments, and keep their source without any', () => {
    const images = [
      image('5', 'https://old.example/a.jpg', { alt: 'A', caption: 'Cap' }),
      image('6', 'https://old.example/b.jpg'),
    ];
    expect(convert(block('gallery', '', { ids: [5, 6, 9] }), context)).toEqual([
      { _type: 'gallery', images },
    ]);
    expect(convert(block('gallery', '', { ids: [9] }), context)).toMatchObject([
      { _type: 'htmlBlock', originalBlockName: 'core/gallery', originalAttrs: { ids: [9] } },
    ]);
  });
});

describe('embeds', () => {
  it.each([
    ['https://youtu.be/x', 'youtube'],
    ['https://www.youtube.com/x', 'youtube'],
    ['https://youtube.com.evil.example/x', undefined],
    ['https://a.example/youtube.com', undefined],
  ])('of %s have the provider %s', (url, provider) => {
    const html = `<figure><div>\n${url}\n</div></figure>`;
    expect(convert(block('embed', html, { url }))).toEqual([embed(url, provider ? { provider } : {})]);
  });

  it('have the address once where the editor escaped it', () => {
    const html = '<figure><div>https://a.example/?b=1&amp;c=2</div></figure>';
    expect(convert(block('embed', html, { url: 'https://a.example/?b=1&amp;c=2' }))).toEqual([
      embed('https://a.example/?b=1&c=2'),
    ]);
  });

  it('keep other text, and their source without a safe address', () => {
    const url = 'https://a.example/x';
    expect(convert(block('embed', '<figure>other</figure>', { url }))).toEqual([
      embed(url),
      paragraph('other'),
    ]);
    expect(convert(block('embed', '<figure>t</figure>', { url: 'javascript:x' }))).toMatchObject([
      { _type: 'htmlBlock', html: '<figure>t</figure>', originalBlockName: 'core/embed' },
    ]);
  });

  it('of players take the address of the element or its source', () => {
    const html =
      '<figure><video poster="/p.png"><source src="/v.webm"></video><figcaption>Cap</figcaption></figure>';
    expect(convert(block('video', html))).toEqual([
      embed('/v.webm', { provider: 'video', poster: '/p.png', caption: 'Cap' }),
    ]);
    expect(convert(block('audio', '<figure></figure>', { src: '/a.mp3' }))).toEqual([
      embed('/a.mp3', { provider: 'audio' }),
    ]);
  });
});

describe('embedded elements', () => {
  it.each([
    '<video src="/x">Get the <a href="/y">file</a></video>',
    '<video src="/x"><track src="/en.vtt" label="English"></video>',
    '<audio src="/x"><p>old</p></audio>',
    '<iframe src="/x">old</iframe>',
    '<object data="/x"><img src="/p.png" alt="preview"></object>',
  ])('keep their source where they have more than an address: %s', (html) => {
    expect(convert(block('html-like', html) + `a ${html}`)).toContainEqual(
      expect.objectContaining({ _type: 'embed', url: '/x', html }),
    );
  });
});

describe('captions', () => {
  const link = '<a href="https://a.example/">A <b>b</b></a>';
  const caption = 'By A b (https://a.example/), c';

  it.each([
    ['an image', block('image', `<figure><img src="/i"><figcaption>By ${link}, c</figcaption></figure>`)],
    ['classic text', `[caption id="attachment_1"]<img src="/i"> By ${link}, c[/caption]`],
    ['a table', `<table><caption>By ${link}, c</caption><tr><td>x</td></tr></table>`],
    ['a gallery', block('gallery', `<figure><img src="/i"><figcaption>By ${link}, c</figcaption></figure>`)],
    [
      'an embed',
      block('embed', `<figure><figcaption>By ${link}, c</figcaption></figure>`, {
        url: 'https://b.example/',
      }),
    ],
  ])('of %s have the address of a link behind its text', (_, source) => {
    expect(convert(source)).toMatchObject([{ caption }]);
  });

  it('have no address that is the text, or a place in the page', () => {
    const links =
      '<a href="https://a.example/">a.example</a> <a href="mailto:m@a.example">m@a.example</a> <a href="#n">1</a>';
    expect(convert(`<figure><img src="/i"><figcaption>${links}</figcaption></figure>`)).toMatchObject([
      { caption: 'a.example m@a.example 1' },
    ]);
  });
});

describe('files', () => {
  it('are followed by a download button with a label of its own', () => {
    const button = '<a href="/f.pdf" class="wp-block-file__button" download>Get <b>it</b></a>';
    expect(convert(block('file', `<div><a href="/f.pdf">F</a>${button}</div>`, { href: '/f.pdf' }))).toEqual([
      { _type: 'file', url: '/f.pdf', filename: 'F', showDownloadButton: false },
      {
        ...{ _type: 'buttons', layout: 'horizontal' },
        buttons: [{ _type: 'button', text: 'Get it', url: '/f.pdf', style: 'default' }],
      },
    ]);
  });

  it('have the text of their link as their name', () => {
    const html = '<div><object data="/f.pdf"></object><a href="/f.pdf">The <b>file</b></a></div>';
    expect(convert(block('file', html, { href: '/f.pdf', showDownloadButton: false }))).toEqual([
      { _type: 'file', url: '/f.pdf', filename: 'The file', showDownloadButton: false },
    ]);
  });
});

describe('the number of media references', () => {
  it('counts images in galleries, columns and covers', () => {
    const img = block('image', '<img src="/a.png">');
    const columns = block('columns', block('column', img));
    const { mediaReferences } = convertContent(
      img + block('gallery', img + img) + columns + block('cover', img),
      emptyContext,
    );
    expect(mediaReferences).toBe(5);
  });

  it('counts backgrounds of covers, files, and players with their posters', () => {
    const count = (content: string) => convertContent(content, emptyContext).mediaReferences;
    const cover = (attributes: object) => block('cover', '<div class="wp-block-cover"></div>', attributes);
    expect(count(cover({ url: '/a.png' }) + cover({ url: '/a.mp4', backgroundType: 'video' }))).toBe(2);
    expect(count(block('file', '<a href="/a.pdf">A</a>'))).toBe(1);
    expect(count(block('audio', '<audio src="/a.mp3"></audio>'))).toBe(1);
    expect(count(block('video', '<video src="/a.mp4" poster="/a.png"></video>'))).toBe(2);
    expect(count(block('columns', block('column', block('file', '<a href="/a.pdf">A</a>'))))).toBe(1);
  });

  it('does not count embedded pages and links', () => {
    const embed = block('embed', '', { url: 'https://video.example/watch?v=1' });
    expect(convertContent(`${embed}<p><a href="/a.pdf">A</a></p>`, emptyContext).mediaReferences).toBe(0);
  });
});
