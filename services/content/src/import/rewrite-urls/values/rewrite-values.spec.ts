import { describe, expect, it } from '@jest/globals';
import type { mediaApi } from '@quire/internal-api';
import { UrlMap } from '@quire/values';
import { RewriteContext, rewriteValues, type MediaByUrl } from './index.js';
import type { RewrittenField } from './rewrite-values.js';

const from = (name: string) => `https://old.example/wp-content/uploads/${name}`;
const to = (name: string) => `/_cms/api/media/file/${name}`;

const itemOf = (name: string): mediaApi.MediaFile => ({
  id: `id-of-${name}`,
  filename: name,
  mimeType: name.endsWith('.pdf') ? 'application/pdf' : 'image/jpeg',
  size: 7,
  width: 30,
  height: 20,
  alt: 'from the library',
  blurhash: null,
  dominantColor: '#fff',
  storageKey: name,
  url: `${to(name)}?v=1`,
});
const names = ['a.jpg', 'b.jpg', 'doc.pdf'];
const urls = new UrlMap({
  ...Object.fromEntries([...names, 'gone.jpg'].map((name) => [from(name), to(name)])),
  [from('moved.jpg')]: 'https://cdn.example/moved.jpg',
});
const library: MediaByUrl = new Map([
  ...names.map((name) => [to(name), itemOf(name)] as const),
  [to('gone.jpg'), null],
  ['https://cdn.example/moved.jpg', null],
]);
const blockFields = (type: string, version: number): RewrittenField[] | null =>
  type === 'card' && version === 2
    ? [
        { slug: 'picture', type: 'image' },
        { slug: 'body', type: 'portableText' },
        { slug: 'link', type: 'url' },
      ]
    : null;

/** Rewrites the value of a field `f`. */
function rewrite(field: Partial<RewrittenField>, value: unknown, media = library) {
  const context = new RewriteContext(urls, media, blockFields as never);
  const before = structuredClone(value);
  const changed = rewriteValues([{ slug: 'f', type: 'text', ...field }], { f: value }, context);
  expect(value).toEqual(before);
  const { count, missing, problems } = context;
  return {
    changed: Object.hasOwn(changed, 'f'),
    value: changed['f'],
    count,
    missing: [...missing],
    problems,
  };
}
const localImage = (name: string, more: object = {}) => {
  const { id, filename, mimeType, width, height, dominantColor, storageKey } = itemOf(name);
  const meta = { storageKey };
  return {
    provider: 'local',
    id,
    filename,
    mimeType,
    width,
    height,
    dominantColor,
    meta,
    alt: 'from the library',
    ...more,
  };
};
const external = (name: string, more: object = {}) => ({
  provider: 'external',
  id: '',
  src: from(name),
  ...more,
});

describe('rewriteValues (contract 1.6)', () => {
  it('replaces addresses inside of strings and texts', () => {
    for (const type of ['string', 'text'] as const)
      expect(rewrite({ type }, `x ${from('a.jpg')}, ${from('b-3x3.jpg')}.`)).toMatchObject({
        value: `x ${to('a.jpg')}, ${to('b.jpg')}.`,
        count: 2,
      });
  });

  it('replaces a url field that is an address, and no part of one', () => {
    expect(rewrite({ type: 'url' }, from('a.jpg')).value).toBe(to('a.jpg'));
    expect(rewrite({ type: 'url' }, `https://x.example/?u=${from('a.jpg')}`).changed).toBe(false);
  });

  it.each(['slug', 'select', 'json', 'reference', 'multiSelect', 'number'] as const)(
    'leaves a field of type %s unchanged',
    (type) => {
      expect(rewrite({ type }, from('a.jpg'))).toMatchObject({ changed: false, count: 0 });
    },
  );

  it('makes an external image an item of the library, with its metadata', () => {
    expect(rewrite({ type: 'image' }, external('a-5x5.jpg'))).toMatchObject({
      value: localImage('a.jpg'),
      count: 1,
    });
    expect(rewrite({ type: 'image' }, external('a.jpg')).value).not.toHaveProperty('src');
  });

  it('keeps the alternative text and the other metadata of an image', () => {
    const value = external('a.jpg', { alt: '', meta: { own: 1 } });
    expect(rewrite({ type: 'image' }, value).value).toEqual(
      localImage('a.jpg', { alt: '', meta: { own: 1, storageKey: 'a.jpg' } }),
    );
  });

  it('rewrites the dark variant of an image by itself', () => {
    const value = { ...localImage('a.jpg'), darkVariant: external('b.jpg') };
    expect(rewrite({ type: 'image' }, value).value).toEqual({
      ...localImage('a.jpg'),
      darkVariant: localImage('b.jpg'),
    });
    const both = rewrite({ type: 'image' }, external('a.jpg', { darkVariant: external('b.jpg') }));
    expect(both).toMatchObject({
      value: localImage('a.jpg', { darkVariant: localImage('b.jpg') }),
      count: 2,
    });
  });

  it.each(['url', 'src'])('makes a file with its address in `%s` an item of the library', (key) => {
    const { value } = rewrite({ type: 'file' }, { provider: 'external', id: '', [key]: from('doc.pdf') });
    expect(value).toEqual({
      provider: 'local',
      id: 'id-of-doc.pdf',
      filename: 'doc.pdf',
      mimeType: 'application/pdf',
      size: 7,
      url: `${to('doc.pdf')}?v=1`,
      meta: { storageKey: 'doc.pdf' },
    });
  });

  it('leaves a value whose field does not accept the item, and reports it', () => {
    const field = { type: 'image' as const, validation: { allowedMimeTypes: ['image/PNG'] } };
    expect(rewrite(field, external('a.jpg'))).toMatchObject({
      changed: false,
      count: 0,
      problems: [expect.stringMatching(/^f: .*image\/jpeg/)],
    });
    expect(rewrite({ type: 'image' }, external('doc.pdf')).problems).toHaveLength(1);
  });

  it('leaves a value whose new address is no file of the library, unless it is absolute', () => {
    expect(rewrite({ type: 'image' }, external('gone.jpg'))).toMatchObject({
      changed: false,
      problems: [`f: no media item has the address '${to('gone.jpg')}'`],
    });
    expect(rewrite({ type: 'image' }, external('moved.jpg')).value).toEqual(
      external('moved.jpg', { src: 'https://cdn.example/moved.jpg' }),
    );
  });

  it('names the new addresses whose items are not looked up yet', () => {
    const value = [{ _type: 'image', asset: { _ref: '5', url: from('a.jpg') } }];
    expect(rewrite({ type: 'portableText' }, value, new Map()).missing).toEqual([to('a.jpg')]);
    expect(rewrite({ type: 'image' }, external('b.jpg'), new Map()).missing).toEqual([to('b.jpg')]);
  });

  it('rewrites the rows of a repeater by their fields', () => {
    const subFields = [
      { slug: 'name', label: 'Name', type: 'string' },
      { slug: 'kind', label: 'Kind', type: 'select' },
      { slug: 'picture', label: 'Picture', type: 'image' },
    ] as const;
    const untouched = { name: 'x', kind: from('a.jpg') };
    const value = [untouched, { name: from('a.jpg'), picture: external('b.jpg') }, null, 'x'];
    const rewritten = rewrite({ type: 'repeater', validation: { subFields: [...subFields] } }, value);
    expect(rewritten.value).toEqual([
      untouched,
      { name: to('a.jpg'), picture: localImage('b.jpg') },
      null,
      'x',
    ]);
  });

  it('rewrites blocks by the fields of their version, and skips blocks of unknown versions', () => {
    const block = { _type: 'card', _key: 'k', picture: external('a.jpg'), link: from('b.jpg') };
    const value = [
      { ...block, _version: 2, body: [{ _type: 'file', url: from('doc.pdf') }] },
      { ...block, _version: 3 },
    ];
    expect(rewrite({ type: 'blocks' }, value)).toMatchObject({
      value: [
        { picture: localImage('a.jpg'), link: to('b.jpg'), body: [{ url: to('doc.pdf') }] },
        { picture: external('a.jpg') },
      ],
      count: 3,
    });
  });

  it('names the place of a problem', () => {
    const validation = { subFields: [{ slug: 'p', label: 'P', type: 'image' as const }] };
    const { problems } = rewrite({ type: 'repeater', validation }, [{}, { p: external('gone.jpg') }]);
    expect(problems[0]).toMatch(/^f\.1\.p: /);
  });

  it.each([null, undefined, 7, 'x', [], {}, [null], [[]], { src: 7 }])(
    'leaves %j unchanged in every type',
    (value) => {
      for (const type of ['image', 'file', 'portableText', 'repeater', 'blocks', 'url', 'text'] as const)
        expect(rewrite({ type }, value).changed).toBe(false);
    },
  );

  it('changes nothing a second time', () => {
    const once = rewrite({ type: 'image' }, external('a.jpg')).value;
    expect(rewrite({ type: 'image' }, once)).toMatchObject({ changed: false, count: 0 });
  });
});

describe('rewriteValues of rich text (contract 1.6)', () => {
  const rich = (value: unknown) => rewrite({ type: 'portableText' }, value);
  const block = (...nodes: object[]) => nodes;
  const image = (name: string, more: object = {}) => ({
    _type: 'image',
    _key: 'k',
    asset: { _type: 'reference', _ref: '17', url: from(name) },
    ...more,
  });
  const rewrittenImage = (name: string, more: object = {}) => ({
    _type: 'image',
    _key: 'k',
    asset: { _type: 'reference', _ref: `id-of-${name}`, url: to(name) },
    ...more,
  });

  it('makes images items of the library: their reference is the id of the item', () => {
    const value = [image('a-9x9.jpg', { alt: 'kept' }), { _type: 'image', asset: { _ref: from('b.jpg') } }];
    expect(rich(value)).toMatchObject({
      value: [rewrittenImage('a.jpg', { alt: 'kept' }), { asset: { _ref: 'id-of-b.jpg', url: to('b.jpg') } }],
      count: 2,
      missing: [],
    });
  });

  it('makes an image of an external provider one of the library', () => {
    const value = [
      { _type: 'image', provider: 'external', asset: { url: from('a.jpg'), provider: 'external' } },
    ];
    expect(rich(value).value).toEqual([{ _type: 'image', asset: { _ref: 'id-of-a.jpg', url: to('a.jpg') } }]);
  });

  it('replaces only the address when it is no file of the library', () => {
    expect(rich([image('gone.jpg')]).value).toMatchObject([{ asset: { _ref: '17', url: to('gone.jpg') } }]);
    const byReference = [{ _type: 'image', asset: { _ref: from('gone.jpg'), url: from('gone.jpg') } }];
    expect(rich(byReference).value).toMatchObject([{ asset: { _ref: to('gone.jpg'), url: to('gone.jpg') } }]);
  });

  it.each<[string, object[], object[]]>([
    [
      'the link of an image',
      block(image('a.jpg', { link: from('a.jpg') })),
      block(rewrittenImage('a.jpg', { link: to('a.jpg') })),
    ],
    [
      'galleries',
      block({ _type: 'gallery', images: [image('a.jpg'), image('b.jpg')] }),
      block({ _type: 'gallery', images: [rewrittenImage('a.jpg'), rewrittenImage('b.jpg')] }),
    ],
    [
      'columns',
      block({ _type: 'columns', columns: [{ content: [image('a.jpg')] }, { content: [] }] }),
      block({ _type: 'columns', columns: [{ content: [rewrittenImage('a.jpg')] }, { content: [] }] }),
    ],
    [
      'covers',
      block({ _type: 'cover', backgroundImage: from('a.jpg'), content: [image('b.jpg')] }),
      block({ _type: 'cover', backgroundImage: to('a.jpg'), content: [rewrittenImage('b.jpg')] }),
    ],
    [
      'videos of covers',
      block({ _type: 'cover', backgroundVideo: from('a.jpg') }),
      block({ _type: 'cover', backgroundVideo: to('a.jpg') }),
    ],
    [
      'files',
      block({ _type: 'file', url: from('doc.pdf'), filename: 'x' }),
      block({ _type: 'file', url: to('doc.pdf'), filename: 'x' }),
    ],
    [
      'embeds',
      block({ _type: 'embed', url: from('a.jpg'), poster: from('b.jpg') }),
      block({ _type: 'embed', url: to('a.jpg'), poster: to('b.jpg') }),
    ],
    [
      'buttons',
      block({ _type: 'buttons', buttons: [{ _type: 'button', text: 'x', url: from('a.jpg') }] }),
      block({ _type: 'buttons', buttons: [{ _type: 'button', text: 'x', url: to('a.jpg') }] }),
    ],
    [
      'links of text',
      block({
        _type: 'block',
        markDefs: [{ _type: 'link', _key: 'l', href: from('doc.pdf') }],
        children: [{ _type: 'span', text: 'x' }],
      }),
      block({
        _type: 'block',
        markDefs: [{ _type: 'link', _key: 'l', href: to('doc.pdf') }],
        children: [{ _type: 'span', text: 'x' }],
      }),
    ],
    [
      'table cells',
      block({ _type: 'table', rows: [{ cells: [{ content: [], markDefs: [{ href: from('a.jpg') }] }] }] }),
      block({ _type: 'table', rows: [{ cells: [{ content: [], markDefs: [{ href: to('a.jpg') }] }] }] }),
    ],
    [
      'attributes of unknown blocks',
      block({ _type: 'htmlBlock', html: '', originalAttrs: { url: from('a.jpg') } }),
      block({ _type: 'htmlBlock', html: '', originalAttrs: { url: to('a.jpg') } }),
    ],
    [
      'texts and lists in attributes of unknown blocks',
      block({ _type: 'x', attrs: { css: `a{b:url(${from('a.jpg')})}`, list: [from('b.jpg'), 'c'] } }),
      block({ _type: 'x', attrs: { css: `a{b:url(${to('a.jpg')})}`, list: [to('b.jpg'), 'c'] } }),
    ],
  ])('rewrites %s', (_name, value, expected) => {
    expect(rich(value).value).toEqual(expected);
  });

  it('leaves texts, code, captions and names unchanged', () => {
    const url = from('a.jpg');
    const value = [
      { _type: 'block', _key: url, children: [{ _type: 'span', text: url }] },
      { _type: 'code', code: url },
      { _type: 'image', asset: { _ref: 'X', url: 'https://x.example/' }, alt: url, caption: url },
    ];
    expect(rich(value)).toMatchObject({ changed: false, count: 0 });
  });

  it('bounds the nesting', () => {
    let value: unknown = [{ _type: 'file', url: from('a.jpg') }];
    for (let depth = 0; depth < 300; depth += 1) value = [{ _type: 'columns', columns: value }];
    expect(rich(value).changed).toBe(false);
  });
});

describe('rewriteValues of htmlBlock (contract 1.6)', () => {
  const html = (text: string) => {
    const { value, count } = rewrite({ type: 'portableText' }, [{ _type: 'htmlBlock', html: text }]);
    return { text: (value as { html: string }[] | undefined)?.[0]?.html ?? text, count };
  };

  it.each([
    ['src', `<IMG  src='${from('a.jpg')}' alt="x">`, `<IMG  src="${to('a.jpg')}" alt="x">`],
    ['an attribute without quotes', `<a href=${from('a.jpg')}>x</a>`, `<a href="${to('a.jpg')}">x</a>`],
    [
      'href and poster',
      `<video poster="${from('a.jpg')}"><a href="${from('doc.pdf')}">`,
      `<video poster="${to('a.jpg')}"><a href="${to('doc.pdf')}">`,
    ],
    [
      'srcset',
      `<img srcset="${from('a-1x1.jpg')} 1x, ${from('b.jpg')} 2x">`,
      `<img srcset="${to('a.jpg')} 1x, ${to('b.jpg')} 2x">`,
    ],
    [
      'data attributes',
      `<img data-orig-file="${from('a.jpg')}?fit=1&amp;w=2">`,
      `<img data-orig-file="${to('a.jpg')}">`,
    ],
    [
      'styles',
      `<p style="background:url('${from('a.jpg')}')">`,
      `<p style="background:url('${to('a.jpg')}')">`,
    ],
    ['style sheets', `<style>a{b:url(${from('a.jpg')})}</style>`, `<style>a{b:url(${to('a.jpg')})}</style>`],
    ['comments', `<!-- wp:x {"url":"${from('a.jpg')}"} /-->`, `<!-- wp:x {"url":"${to('a.jpg')}"} /-->`],
    ['shortcodes', `[video src="${from('a.jpg')}"]`, `[video src="${to('a.jpg')}"]`],
    [
      'escaped characters',
      `<img src="https&#58;//old.example/wp-content/uploads/a.jpg">`,
      `<img src="${to('a.jpg')}">`,
    ],
    ['white space around', `<img src=" ${from('a.jpg')}\n">`, `<img src="${to('a.jpg')}">`],
  ])('rewrites %s', (_name, before, after) => {
    expect(html(before).text).toBe(after);
  });

  it('leaves everything else as it is, and counts each address once', () => {
    const broken = `<p a b=">" <img src="${from('a.jpg')}"</p><b>&nbsp;<i>&amp;${from('b.jpg')}`;
    expect(html(broken)).toEqual({
      text: broken.replace(from('a.jpg'), to('a.jpg')).replace(from('b.jpg'), to('b.jpg')),
      count: 2,
    });
    const foreign = `<img src="https://x.example/a.jpg" onerror=x><br/>`;
    expect(html(foreign)).toEqual({ text: foreign, count: 0 });
  });
});
