import { describe, expect, it } from '@jest/globals';
import { parseBlocks } from '../block-tree.js';
import { blockConverters, convertContent } from '../convert-content.js';
import { htmlBlock } from '../portable-text.js';
import {
  block,
  convert,
  emptyContext,
  paragraph,
  warningsOf,
  withoutKeys,
} from '../testing/expected-blocks.fixture.js';

/** The markup of a block that was kept, from what was stored. */
function restored({ html, originalBlockName, originalAttrs }: Record<string, unknown>): string {
  return String(html).startsWith('<!-- wp:')
    ? String(html)
    : block(String(originalBlockName), String(html), originalAttrs as object);
}

describe('unknown blocks', () => {
  it.each([
    ['with HTML', block('vendor/static', '<div>kept</div>', { a: 1, b: '--' })],
    ['without HTML', '<!-- wp:vendor/leaf {"z":"\\u003cb\\u003e"} /-->'],
    ['with broken attributes', '<!-- wp:vendor/leaf {"z": -->\nx\n<!-- /wp:vendor/leaf -->'],
  ])('%s can be restored', (_, source) => {
    const [kept] = convert(source);
    expect(kept).toMatchObject({ _type: 'htmlBlock', originalBlockName: /vendor\/\w+/.exec(source)?.[0] });
    const withoutPlace = (each: unknown) => JSON.stringify(each);
    expect(parseBlocks(restored(kept ?? {})).map(withoutPlace)).toEqual(
      parseBlocks(source).map(withoutPlace),
    );
  });

  it('with inner blocks are replaced by their content, with one warning for each name', () => {
    const inner = block('paragraph', '<p>x</p>');
    const source = block('vendor/w', `<div>own${inner}</div>`);
    expect(convert(source + source)).toEqual([
      paragraph('own'),
      paragraph('x'),
      paragraph('own'),
      paragraph('x'),
    ]);
    expect(warningsOf(source + source)).toEqual([
      { code: 'BLOCK_UNKNOWN', message: "The block 'vendor/w' has no equivalent." },
    ]);
  });

  it('with inner blocks have the names of their attributes in the warning', () => {
    const source = block('vendor/w', block('paragraph', '<p>x</p>'), { tone: 'warn', columns: 2 });
    expect(warningsOf(source)).toEqual([
      {
        code: 'BLOCK_UNKNOWN',
        message: "The block 'vendor/w' has no equivalent. Its attributes are left out: tone, columns.",
      },
    ]);
  });

  it('that the source fills when shown keep the template in them', () => {
    const template =
      '<div>\n<!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template -->\n</div>';
    expect(convert(block('query', template, { queryId: 1 }))).toEqual([
      {
        ...{ _type: 'htmlBlock', html: template },
        ...{ originalBlockName: 'core/query', originalAttrs: { queryId: 1 } },
      },
    ]);
  });

  it('are converted by a registered converter', () => {
    const source = block('vendor/box', '<b>x</b>', { tone: 'warn' });
    const converters = new Map([
      ...blockConverters,
      [
        'vendor/box',
        ({ attributes }, helpers) => [htmlBlock(String(attributes['tone'])), ...helpers.content()],
      ],
    ] as typeof blockConverters extends ReadonlyMap<infer Name, infer Converter>
      ? [Name, Converter][]
      : never);
    const { blocks } = convertContent(source, emptyContext, converters);
    expect(withoutKeys(blocks)).toEqual([
      { _type: 'htmlBlock', html: 'warn' },
      { ...paragraph('x'), children: [{ _type: 'span', text: 'x', marks: ['strong'] }] },
    ]);
  });
});

describe('blocks of source', () => {
  it('of the classic editor and missing blocks are classic HTML', () => {
    expect(convert(block('freeform', 'a\n\nb') + block('missing', '<p>m\nn</p>'))).toEqual([
      paragraph('a'),
      paragraph('b'),
      paragraph('m\nn'),
    ]);
  });

  it('that are deeper than 50 keep their source', () => {
    const nested = Array.from({ length: 52 }).reduce<string>(
      (inner) => `<!-- wp:group -->${inner}<!-- /wp:group -->`,
      'x',
    );
    expect(convert(nested)).toEqual([
      htmlBlock('<!-- wp:group --><!-- wp:group -->x<!-- /wp:group --><!-- /wp:group -->', {
        name: 'core/group',
      }),
    ]);
  });

  it('give the same bytes each time', () => {
    const source = block('columns', block('column', block('paragraph', '<p>a <a href="/b">c</a></p>')));
    const bytes = () => JSON.stringify(convertContent(source, emptyContext));
    expect(bytes()).toBe(bytes());
  });
});
