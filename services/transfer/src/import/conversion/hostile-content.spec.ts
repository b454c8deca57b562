import { describe, expect, it } from '@jest/globals';
import { jsonFault } from '@quire/content-model';
import { convertContent } from './convert-content.js';
import { emptyContext } from './testing/expected-blocks.fixture.js';
import { resultWords } from './testing/words.fixture.js';

const times = (text: string, count: number): string => text.repeat(count);

/** Each takes hours where an algorithm is quadratic, or overflows the stack where it is recursive. */
const bodies: Readonly<Record<string, string>> = {
  'a body of 5 MB': times(
    '<!-- wp:paragraph -->\n<p>Lorem <b>ipsum</b>.</p>\n<!-- /wp:paragraph -->\n\n',
    70_000,
  ),
  'a classic body of 5 MB': times('Lorem <b>ipsum</b>\ndolor [sit] amet.\n\n', 125_000),
  'nested inline elements': times('<b>', 100_000),
  'nested inline elements with wrong ends': times('<b>', 100_000) + times('</i>', 100_000),
  'nested divisions': times('<div>', 100_000),
  'nested lists': times('<ul><li>', 50_000),
  'nested quotes': times('<blockquote>', 50_000),
  'nested tables': times('<table><tr><td>', 20_000),
  'nested blocks': times('<!-- wp:group --><div>', 50_000),
  'nested columns': times('<!-- wp:columns --><div><!-- wp:column --><div>', 40),
  'ends of unknown blocks': times('<!-- wp:group -->', 20_000) + times('<!-- /wp:other -->', 20_000),
  brackets: times('[', 1_000_000),
  'double brackets': times('[[a', 500_000),
  'captions without ends': times('[caption id="1"]', 100_000),
  'captions with one end': `${times('[caption id="1"]', 100_000)}[/caption]`,
  'embeds with one end': `${times('[embed]', 100_000)}[/embed]`,
  'less-than signs': times('<', 500_000),
  'unended tags': times('<a ', 500_000),
  'unended comments': times('<!--', 500_000),
  'unended block comments': times('<!-- wp:group ', 200_000),
  spaces: `a${times(' ', 1_000_000)}b`,
  'line ends': `a${times('\n ', 1_000_000)}b`,
  'deep attributes': `<!-- wp:vendor/x ${times('{"a":', 5_000)}1${times('}', 5_000)} /-->`,
  'many paragraphs in a block': `<!-- wp:group --><div>${times('<p>x', 200_000)}</div><!-- /wp:group -->`,
  'many links': times('<a href="/x">y</a> ', 50_000),
};

describe('convertContent', () => {
  it.each(Object.entries(bodies))('keeps the text behind %s in storable blocks', (_, body) => {
    const { blocks } = convertContent(`${body} ending`, emptyContext);
    expect(resultWords(blocks).at(-1)).toMatch(/ending$/);
    expect(jsonFault(blocks)).toBeNull();
  });

  it('leaves out characters that cannot be stored', () => {
    const source = '<!-- wp:vendor/x {"a\\u0000":"\\ud800 \\u0000b","__proto__":1} /-->x\u0000y\ud800';
    const { blocks } = convertContent(source, emptyContext);
    expect(jsonFault(blocks)).toBeNull();
    expect(JSON.stringify(blocks)).toContain('xy\ufffd');
  });

  it.each(['<script>a("x")</script>', '<style>p {}</style>', '<textarea>x</textarea>'])(
    'keeps %s in elements that are too deep as its source',
    (html) => {
      const { blocks } = convertContent(
        `${times('<div>', 300)}${html}${times('</div>', 300)} end`,
        emptyContext,
      );
      expect(blocks).toMatchObject([{ _type: 'htmlBlock', html }, { _type: 'block' }]);
      expect(resultWords(blocks).at(-1)).toBe('end');
    },
  );

  it('uses an inner block once where the text looks like its position', () => {
    const source = `<!-- wp:group --><div>${times('<!--insert:0-->', 3)}<!-- wp:paragraph --><p>once</p><!-- /wp:paragraph --></div><!-- /wp:group -->`;
    expect(resultWords(convertContent(source, emptyContext).blocks)).toEqual(['once']);
  });
});
