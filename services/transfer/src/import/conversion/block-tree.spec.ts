import { describe, expect, it } from '@jest/globals';
import { hasBlocks, parseBlocks, type SourceBlock } from './block-tree.js';

/** Names and texts, without positions. */
const outline = (parts: readonly (string | SourceBlock)[]): unknown[] =>
  parts.map((part) => (typeof part === 'string' ? part : [part.name, ...outline(part.parts)]));

describe('parseBlocks', () => {
  it('keeps the order of HTML and blocks', () => {
    expect(outline(parseBlocks('a<!-- wp:x -->b<!-- wp:y/z {"a":1} /-->c<!-- /wp:x -->d'))).toEqual([
      'a',
      ['core/x', 'b', ['y/z'], 'c'],
      'd',
    ]);
  });

  it('reads attributes with escapes, and none from broken JSON', () => {
    const [escaped, broken] = parseBlocks(
      '<!-- wp:x {"a":"\\u002d\\u002d\\u003e \\u0026"} /--><!-- wp:x {"a": -->',
    );
    expect(escaped).toMatchObject({ attributes: { a: '--> &' }, hasBrokenAttributes: false });
    expect(broken).toMatchObject({ attributes: {}, hasBrokenAttributes: true });
  });

  it('keeps the source of a block with and without its comments', () => {
    expect(parseBlocks('a<!-- wp:x --> b <!-- /wp:x -->c')[1]).toMatchObject({
      source: '<!-- wp:x --> b <!-- /wp:x -->',
      innerSource: ' b ',
    });
  });

  it('ends unclosed blocks with the block around them or the document', () => {
    expect(outline(parseBlocks('<!-- wp:a --><!-- wp:b -->1<!-- /wp:a --><!-- wp:c -->2'))).toEqual([
      ['core/a', ['core/b', '1']],
      ['core/c', '2'],
    ]);
  });

  it('leaves out ends without a beginning', () => {
    expect(outline(parseBlocks('<!-- wp:a -->1<!-- /wp:b -->2<!-- /wp:a --><!-- /wp:a -->3'))).toEqual([
      ['core/a', '1', '2'],
      '3',
    ]);
  });

  it('leaves other comments in the HTML', () => {
    expect(outline(parseBlocks('<!-- x --><!--more--><!-- wp: --><!-- wp:a /-->'))).toEqual([
      '<!-- x --><!--more--><!-- wp: -->',
      ['core/a'],
    ]);
  });
});

describe('hasBlocks', () => {
  it.each([
    ['<!-- wp:paragraph -->', true],
    ['<!--wp:paragraph-->', true],
    ['<p>wp:paragraph</p><!--more-->', false],
  ])('of %s is %s', (source, result) => {
    expect(hasBlocks(source)).toBe(result);
  });
});
