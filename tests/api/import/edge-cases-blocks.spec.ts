import { describe, expect, it } from '@jest/globals';
import { createImage, uploadFile, useSite } from '@quire/testing';
import { asset, block, span, upload, useEdgeCases } from './edge-cases-support.js';

const cases = useEdgeCases(useSite());
const oneLarge = upload('one-1024x683.jpg');

describe('media and layout blocks of an imported entry (contract 3.2)', () => {
  it('E07: images keep link, alignment, alternative text and caption; galleries keep their images', () => {
    expect(cases.content('E07')).toEqual([
      {
        _type: 'image',
        asset: asset('1901', oneLarge),
        alt: 'Alt "q"',
        caption: 'Cap x',
        alignment: 'right',
        link: upload('one.jpg'),
      },
      {
        _type: 'gallery',
        columns: 3,
        images: [
          { _type: 'image', asset: asset('1901', upload('one.jpg')), alt: 'g1' },
          { _type: 'image', asset: asset('1902', upload('two.png?w=640')), alt: '' },
        ],
      },
      {
        _type: 'gallery',
        columns: 2,
        images: [
          { _type: 'image', asset: asset('1901', upload('one.jpg')), alt: 'old', caption: 'old cap' },
          { _type: 'image', asset: asset('1902', upload('two.png').replace('https:', '')), alt: '' },
        ],
      },
    ]);
  });

  it('E07: the featured image refers to the file at the source, which comes later in the file', () => {
    expect(cases.entry('E07').data.featured_image).toEqual({
      provider: 'external',
      id: '',
      src: upload('one.jpg'),
      alt: 'Stored alt',
    });
  });

  it('E08: a button has the address of its link; one without a link has none', () => {
    expect(cases.content('E08')).toEqual([
      {
        _type: 'buttons',
        layout: 'horizontal',
        buttons: [
          { _type: 'button', text: 'Go now', url: 'https://a.example/go', style: 'default' },
          { _type: 'button', text: 'No link', style: 'outline' },
        ],
      },
    ]);
  });

  it('E09: a table keeps head, body, foot, merged cells, marks, links and caption', () => {
    const cell = (content: ReturnType<typeof span>[], more: object = {}) => ({
      _type: 'tableCell',
      content,
      ...more,
    });
    const row = (...cells: object[]) => ({ _type: 'tableRow', cells });
    const [table] = cases.content('E09') as { rows: { cells: object[] }[] }[];
    const link = { _type: 'link', href: '/x' };
    expect(table).toEqual({
      _type: 'table',
      caption: 'Table caption',
      hasHeaderRow: true,
      rows: [
        row(cell([span('A')], { isHeader: true }), cell([span('B')], { isHeader: true })),
        row(
          cell([span('1 '), span('b', 'strong')]),
          cell([span('x', expect.any(String) as unknown as string)], { markDefs: [link] }),
        ),
        row(cell([span('wide')], { colspan: 2 })),
        row(cell([span('F1')]), cell([span('F2')])),
      ],
    });
  });

  it('E10: columns, media with text and a cover keep their parts; a group leaves its content', () => {
    const column = (...content: unknown[]) => ({ _type: 'column', content });
    expect(cases.content('E10')).toEqual([
      { _type: 'columns', columns: [column(block('left')), column(block('right'))] },
      block('grouped'),
      {
        _type: 'columns',
        columns: [
          column({ _type: 'image', asset: asset('1901', oneLarge), alt: 'mt' }),
          column(block('beside')),
        ],
      },
      {
        _type: 'cover',
        backgroundImage: upload('one.jpg'),
        overlayOpacity: 0.5,
        minHeight: '300px',
        content: [block('over')],
      },
      { _type: 'break', style: 'lineBreak' },
      { _type: 'break', style: 'readMore' },
      { _type: 'break', style: 'pageBreak' },
    ]);
  });

  it('E12: embeds of both forms, video, audio and a file keep address, provider and caption', () => {
    expect(cases.content('E12')).toEqual([
      { _type: 'embed', url: 'https://video.example/v?a=1&b=2', provider: 'tube', caption: 'clip' },
      { _type: 'embed', url: 'https://micro.example/s/1', provider: 'twitter' },
      { _type: 'embed', url: upload('clip.mp4'), provider: 'video' },
      { _type: 'embed', url: upload('a.mp3'), provider: 'audio' },
      { _type: 'file', url: upload('doc.pdf'), filename: 'The document', showDownloadButton: true },
    ]);
  });

  it('E13: raw HTML and blocks without an equivalent are kept with their names and attributes', () => {
    const chart = '<!-- wp:vendor/chart {"kind":"bar","data":[1,2,3]} /-->';
    expect(cases.content('E13')).toEqual([
      {
        _type: 'htmlBlock',
        html: '<div onclick="x()"><script>alert(1)</script>raw</div>',
        originalBlockName: 'core/html',
      },
      { _type: 'htmlBlock', html: '[vendor_form id="3"]', originalBlockName: 'core/shortcode' },
      {
        _type: 'htmlBlock',
        html: chart,
        originalBlockName: 'vendor/chart',
        originalAttrs: { kind: 'bar', data: [1, 2, 3] },
      },
      block('inside box'),
      block('own text'),
      {
        _type: 'htmlBlock',
        html: '<!-- wp:latest-posts {"postsToShow":3} /-->',
        originalBlockName: 'core/latest-posts',
        originalAttrs: { postsToShow: 3 },
      },
    ]);
    expect(cases.warnings('E13')).toEqual(
      ['vendor/chart', 'vendor/box', 'core/latest-posts'].map((name) => [
        'BLOCK_UNKNOWN',
        expect.stringContaining(`'${name}'`),
      ]),
    );
  });

  it('E14: a reference to a reusable block becomes its section; one to a missing block stays with a warning', async () => {
    expect(cases.content('E14')).toEqual([
      block('before'),
      { _type: 'section', slug: 'cta-1' },
      {
        _type: 'htmlBlock',
        html: '<!-- wp:block {"ref":1999} /-->',
        originalBlockName: 'core/block',
        originalAttrs: { ref: 1999 },
      },
      block('after'),
    ]);
    expect(cases.warnings('E14')).toEqual([['SECTION_MISSING', expect.stringContaining('1999')]]);
  });

  it('E42: links to the source become paths; those to its files and to other sites stay', () => {
    const [text] = cases.content('E42') as { markDefs: { href: string }[]; children: { text: string }[] }[];
    expect(text?.markDefs.map(({ href }) => href)).toEqual([
      '/e01-1/',
      '/e03-1/?x=1#y',
      upload('doc.pdf'),
      'https://other.example/',
    ]);
    expect(text?.children.map((child) => child.text).join('')).toBe('own own www file other');
  });

  it('E42: no address of an uploaded file is left after its addresses were rewritten', async () => {
    const store = async (bytes: string | Uint8Array, type: string): Promise<string> =>
      (await uploadFile(cases.admin, { bytes, type })).data.item.url;
    const photo = await store(await createImage(), 'image/png');
    const paper = await store('%PDF-1.7\n', 'application/pdf');
    const urlMap = { [upload('one.jpg')]: photo, [upload('doc.pdf')]: paper };
    const { path, read } = readable('E42');
    expect(await read()).toContain('old.example');
    const { status, data } = await cases.admin.post('/import/legacy/rewrite-urls', {
      urlMap,
      collections: ['posts'],
    });
    expect([status, data.errors]).toEqual([200, []]);
    const rewritten = await read();
    expect([path, rewritten.includes('old.example')]).toEqual([path, false]);
    for (const part of [
      `<img src=\\"${photo}\\"`,
      `srcset=\\"${photo} 300w, ${photo} 1200w\\"`,
      `<a href=\\"${paper}\\">d</a>`,
      `"href":"${paper}"`,
    ])
      expect(rewritten).toContain(part);
  });
});

/** The path of an entry, and its present content as JSON. */
function readable(title: string) {
  const { type, id } = cases.entry(title);
  const path = `/content/${type}/${id}`;
  const read = async () => JSON.stringify((await cases.admin.get(path)).data.item.data.content);
  return { path, read };
}
